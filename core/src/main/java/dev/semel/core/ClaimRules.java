package dev.semel.core;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Every decision of the life of a key, as pure functions of what was seen. Nothing here reads a clock, calls a store or
 * remembers anything; the engine does what a ruling says, and asks again when the record has moved on meanwhile.
 */
final class ClaimRules {
    static final String LEASE_RAN_OUT = "the holder fell silent: its lease ran out before it said what happened";
    static final Duration RETRY_SOON = Duration.ofSeconds(1);

    private ClaimRules() {}

    /** What to do about a record: write a change, or leave it and answer. */
    sealed interface Ruling<A> {
        record Become<A>(Change change) implements Ruling<A> {}

        record Answer<A>(A answer) implements Ruling<A> {}
    }

    static Ruling<Claim> onClaim(Seen seen, ClaimRequest request, String holder) {
        KeyRecord record = seen.record().asOf(seen.now());
        if (record == null) return grantForgotten(seen, request, holder);
        if (!record.fingerprint().equals(request.fingerprint())) return answer(new Claim.Mismatched());
        return switch (record.state()) {
            case KeyState.Free free -> grantAgain(record, request, holder);
            case KeyState.Held held when seen.now().isBefore(held.leaseUntil()) -> answer(inProgress(record));
            case KeyState.Held silent ->
                switch (request.policy().guarantee()) {
                    case AT_MOST_ONCE -> become(Change.of(record, new Next.InDoubt(LEASE_RAN_OUT)));
                    case AT_LEAST_ONCE -> grantAgain(record, request, holder);
                };
            case KeyState.Done done ->
                answer(new Claim.AlreadyDone(done.outcome(), record.since(), done.replayUntil()));
            case KeyState.InDoubt doubt -> answer(inDoubt(record, doubt));
            case KeyState.Spent spent -> answer(new Claim.Spent(spent.doneAt()));
        };
    }

    /** A true answer counts however late it comes, as long as nobody else was let in since. */
    static Ruling<Settled> onComplete(@Nullable KeyRecord record, long token, Outcome outcome, ClaimPolicy policy) {
        if (record == null || record.token() != token) return superseded();
        return switch (record.state()) {
            case KeyState.Held held -> become(Change.of(record, done(outcome, policy)));
            case KeyState.InDoubt doubt -> become(Change.of(record, done(outcome, policy)));
            case KeyState.Done done when done.outcome().equals(outcome) -> answer(new Settled.Accepted(record));
            case KeyState.Done other -> superseded();
            case KeyState.Free free -> superseded();
            case KeyState.Spent spent -> superseded();
        };
    }

    static Ruling<Settled> onRelease(@Nullable KeyRecord record, long token, ClaimPolicy policy) {
        if (record == null || record.token() != token) return superseded();
        return switch (record.state()) {
            case KeyState.Held held -> become(Change.of(record, new Next.Free(policy.retention())));
            case KeyState.Free free -> answer(new Settled.Accepted(record));
            case KeyState.Done done -> superseded();
            case KeyState.InDoubt doubt -> superseded();
            case KeyState.Spent spent -> superseded();
        };
    }

    /** Sent, and no answer. Where the operation may run again anyway, that frees the key at once. */
    static Ruling<Settled> onDoubt(@Nullable KeyRecord record, long token, String reason, ClaimPolicy policy) {
        if (policy.guarantee() == Guarantee.AT_LEAST_ONCE) return onRelease(record, token, policy);
        if (record == null || record.token() != token) return superseded();
        return switch (record.state()) {
            case KeyState.Held held -> become(Change.of(record, new Next.InDoubt(reason)));
            case KeyState.InDoubt doubt -> answer(new Settled.Accepted(record));
            case KeyState.Done done -> superseded();
            case KeyState.Free free -> superseded();
            case KeyState.Spent spent -> superseded();
        };
    }

    static Ruling<Settled> onRenew(@Nullable KeyRecord record, long token, Duration lease) {
        if (record == null || record.token() != token) return superseded();
        return record.state() instanceof KeyState.Held held
                ? become(Change.of(record, new Next.Held(held.holder(), lease, record.since())))
                : superseded();
    }

    static Ruling<Resolved> onResolve(@Nullable KeyRecord record, long token, Resolution resolution) {
        if (record == null || record.token() != token || !(record.state() instanceof KeyState.InDoubt))
            return answer(new Resolved.Refused(record));
        return become(Change.of(
                record,
                switch (resolution) {
                    case Resolution.Completed it -> new Next.Done(it.outcome(), it.retention(), it.tombstone());
                    case Resolution.DidNotHappen it -> new Next.Free(it.keep());
                }));
    }

    /** What a claim is told about a record that its own change has just written, without having been granted it. */
    static Claim.InDoubt inDoubt(KeyRecord record, KeyState.InDoubt doubt) {
        return new Claim.InDoubt(record.since(), doubt.reason(), record.token());
    }

    static Claim.InProgress inProgress(KeyRecord record) {
        return new Claim.InProgress(record.since(), RETRY_SOON);
    }

    private static Ruling<Claim> grantAgain(KeyRecord record, ClaimRequest request, String holder) {
        Next.Held held = new Next.Held(holder, request.policy().lease(), null);
        return become(new Change(record.fingerprint(), record.token() + 1, record.attempt() + 1, held));
    }

    /** The key counts as absent, but its old record is still there: a new life, with a token above the old one's. */
    private static Ruling<Claim> grantForgotten(Seen seen, ClaimRequest request, String holder) {
        Next.Held held = new Next.Held(holder, request.policy().lease(), null);
        long token = Math.max(seen.record().token() + 1, NewKey.firstToken(seen.now()));
        return become(new Change(request.fingerprint(), token, 1, held));
    }

    private static Next.Done done(Outcome outcome, ClaimPolicy policy) {
        return new Next.Done(outcome, policy.retention(), policy.tombstone());
    }

    private static Ruling<Settled> superseded() {
        return answer(new Settled.Superseded());
    }

    private static <A> Ruling<A> become(Change change) {
        return new Ruling.Become<>(change);
    }

    private static <A> Ruling<A> answer(A answer) {
        return new Ruling.Answer<>(answer);
    }
}
