package dev.semel.core.rules;

import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Probe;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.claim.Resolution;
import dev.semel.core.claim.ResolveAnswer;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Ruling;
import dev.semel.core.store.Seen;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Every decision of the life of a key, as pure functions of what was seen. Nothing here reads a clock, calls a store or
 * remembers anything; the engine does what a ruling says, and asks again when the record has moved on meanwhile.
 */
public final class ClaimRules {
    static final String LEASE_RAN_OUT =
            "the holder fell silent: its lease ran out, or its process ended, before it said what happened";
    static final String NOBODY_GOES_ON = "it was cut off, and for a long time nobody who knows it has gone on with it";
    public static final String FORGOTTEN = "forgotten: nobody said in time what happened";
    public static final Duration RETRY_SOON = Duration.ofSeconds(1);

    private ClaimRules() {}

    public static Ruling<Claim> onClaim(Seen seen, ClaimRequest request, String holder) {
        KeyRecord record = seen.record().asOf(seen.now());
        if (record == null) return grantForgotten(seen, request, holder);
        if (!record.fingerprint().equals(request.fingerprint())) return answer(new Claim.Mismatched());
        if (isOvertaken(record, request)) return answer(inProgress(record));
        return switch (record.state()) {
            case KeyState.Free free -> grantAgain(seen, record, request, holder);
            case KeyState.Held held when !held.isSilent(seen.now()) -> answer(inProgress(record));
            case KeyState.Held silent
            when silent.guarantee().and(request.policy().guarantee()) == Guarantee.AT_LEAST_ONCE ->
                grantAgain(seen, record, request, holder);
            case KeyState.Held silent -> become(fellSilent(seen, silent, request.policy()));
            case KeyState.Done done ->
                answer(new Claim.AlreadyDone(done.outcome(), record.since(), done.replayUntil()));
            case KeyState.InDoubt doubt -> answer(inDoubt(record, doubt, seen.now(), request.policy()));
            case KeyState.Spent spent -> answer(new Claim.Spent(spent.doneAt()));
        };
    }

    private static boolean isOvertaken(KeyRecord record, ClaimRequest request) {
        return request.goesOnAfter() != ClaimRequest.ANY && record.token() != request.goesOnAfter();
    }

    /**
     * The same judgement without a claim: a key whose holder is past its lease is in doubt, whether or not one comes. One
     * that may run again waits for a claim, but not for ever.
     */
    public static Ruling<Boolean> onExpiredLease(Seen seen, ClaimPolicy policy) {
        if (!(seen.record().state() instanceof KeyState.Held held) || !held.isSilent(seen.now())) return answer(false);
        if (held.guarantee().and(policy.guarantee()) == Guarantee.AT_MOST_ONCE)
            return become(fellSilent(seen, held, policy));
        if (!held.isSilent(seen.now().minus(policy.retention()))) return answer(false);
        // What was noted may be the only word of steps that have run: it must not go with nobody looking.
        boolean isUnfinished = !seen.record().remote() && !seen.record().memo().isEmpty();
        return isUnfinished
                ? onGivenUp(seen, NOBODY_GOES_ON)
                : become(Change.of(seen.record(), new Next.Free(Duration.ZERO)));
    }

    private static Change fellSilent(Seen seen, KeyState.Held silent, ClaimPolicy policy) {
        Duration soFar = Duration.between(silent.leaseUntil(), seen.now());
        Duration left = seen.record().remote()
                ? keptInDoubt(policy)
                : firstProbe(policy).minus(soFar);
        Next.InDoubt doubt = new Next.InDoubt(LEASE_RAN_OUT, 0, left.isNegative() ? Duration.ZERO : left, null);
        return Change.of(seen.record(), doubt).remarked(seen.now(), silent.holder(), "in doubt: " + LEASE_RAN_OUT);
    }

    /** A true answer counts however late it comes, as long as nobody else was let in since. */
    public static Ruling<Settlement> onComplete(
            @Nullable KeyRecord record, long token, Outcome outcome, ClaimPolicy policy, Instant at) {
        if (record == null || record.token() != token) return superseded();
        Next.Done done = new Next.Done(outcome, policy.retention(), policy.tombstone());
        return switch (record.state()) {
            case KeyState.Held held -> become(Change.of(record, done));
            case KeyState.InDoubt doubt ->
                become(Change.of(record, done).remarked(at, "holder", "its late answer ended the doubt"));
            case KeyState.Free free ->
                become(Change.of(record, done)
                        .remarked(at, "holder", "its late answer counts: the key was freed, and nobody let in since"));
            case KeyState.Done same when same.outcome().equals(outcome) -> answer(new Settlement.Accepted(record));
            case KeyState.Done other -> superseded();
            case KeyState.Spent spent -> superseded();
        };
    }

    /** The holder knows that nothing ran, also when others began to doubt it meanwhile. */
    public static Ruling<Settlement> onRelease(@Nullable KeyRecord record, long token, ClaimPolicy policy, Instant at) {
        if (record == null || record.token() != token) return superseded();
        Next.Free free = new Next.Free(policy.retention());
        return switch (record.state()) {
            case KeyState.Held held -> become(letGo(record, held, free, at));
            case KeyState.InDoubt doubt ->
                become(Change.of(record, free).remarked(at, "holder", "it did not happen: nothing ran"));
            case KeyState.Free already -> answer(new Settlement.Accepted(record));
            case KeyState.Done done -> superseded();
            case KeyState.Spent spent -> superseded();
        };
    }

    /** Sent, and no answer. Where the operation may run again anyway, that frees the key at once. */
    public static Ruling<Settlement> onDoubt(
            @Nullable KeyRecord record, long token, String reason, ClaimPolicy policy, Instant at) {
        if (record == null || record.token() != token) return superseded();
        return switch (record.state()) {
            case KeyState.Held held
            when held.guarantee().and(policy.guarantee()) == Guarantee.AT_LEAST_ONCE ->
                become(letGo(record, held, new Next.Free(policy.retention()), at));
            case KeyState.Held held ->
                become(Change.of(record, new Next.InDoubt(reason, 0, firstLook(record, policy), null))
                        .remarked(at, held.holder(), "in doubt: " + reason));
            case KeyState.InDoubt doubt -> answer(new Settlement.Accepted(record));
            case KeyState.Free free
            when policy.guarantee() == Guarantee.AT_LEAST_ONCE -> answer(new Settlement.Accepted(record));
            case KeyState.Free free -> superseded();
            case KeyState.Done done -> superseded();
            case KeyState.Spent spent -> superseded();
        };
    }

    /**
     * Frees a key for the next attempt. What was noted with a key that may run again is for that attempt: then it is as if
     * the lease had run out at this moment.
     */
    private static Change letGo(KeyRecord record, KeyState.Held held, Next.Free free, Instant at) {
        if (record.memo().isEmpty() || held.guarantee() != Guarantee.AT_LEAST_ONCE) return Change.of(record, free);
        return renewal(record, Duration.ZERO).remarked(at, held.holder(), "to be taken up again");
    }

    public static Ruling<Settlement> onRenew(@Nullable KeyRecord record, long token, Duration lease) {
        if (record == null || record.token() != token) return superseded();
        return record.state() instanceof KeyState.Held ? become(renewal(record, lease)) : superseded();
    }

    /** A holder leaves word, and shows that it is alive. */
    public static Ruling<Settlement> onNote(@Nullable KeyRecord record, long token, Memo memo, Duration lease) {
        if (record == null || record.token() != token || !(record.state() instanceof KeyState.Held))
            return superseded();
        Change renewed = renewal(record, lease);
        return become(renewed.with(memo, renewed.next()));
    }

    /** What nobody could bring to an end in so many attempts is for someone to look into. */
    public static Ruling<Boolean> onGivenUp(Seen seen, String reason) {
        if (!(seen.record().state() instanceof KeyState.Held held) || !held.isSilent(seen.now())) return answer(false);
        return become(Change.of(seen.record(), new Next.InDoubt(reason))
                .remarked(seen.now(), "semel", "in doubt: " + reason));
    }

    public static Change renewal(KeyRecord record, Duration lease) {
        if (record.state() instanceof KeyState.Held held)
            return Change.of(record, new Next.Held(held.holder(), lease, held.guarantee(), record.since()));
        throw new IllegalArgumentException("Only a key that is held can be renewed.");
    }

    public static Ruling<ResolveAnswer> onResolve(
            @Nullable KeyRecord record, long token, Resolution resolution, String by, String reason, Instant at) {
        if (record == null || record.token() != token || !(record.state() instanceof KeyState.InDoubt))
            return answer(new ResolveAnswer.Refused(record));
        return become(
                switch (resolution) {
                    case Resolution.Completed it ->
                        Change.of(record, new Next.Done(it.outcome(), it.retention(), it.tombstone()))
                                .remarked(at, by, "it did happen: " + reason);
                    case Resolution.DidNotHappen it ->
                        Change.of(record, new Next.Free(it.keep())).remarked(at, by, "it did not happen: " + reason);
                });
    }

    /**
     * Takes a key from its holder, who may still be at work: the operator's word against a lease. What the holder says
     * later counts as long as nobody was let in since; after that the token is higher, and it counts no more.
     */
    public static Ruling<ResolveAnswer> onForcedRelease(
            @Nullable KeyRecord record, long token, String by, String reason, Duration keep, Instant at) {
        if (record == null || record.token() != token || !(record.state() instanceof KeyState.Held held))
            return onResolve(record, token, new Resolution.DidNotHappen(keep), by, reason, at);
        return become(taken(record, held, keep).remarked(at, by, "taken from its holder: " + reason));
    }

    /** What was noted is for the next attempt, and no longer for the holder, who could go on with it otherwise. */
    private static Change taken(KeyRecord record, KeyState.Held held, Duration keep) {
        Change free = Change.of(record, new Next.Free(keep));
        if (record.memo().isEmpty() || held.guarantee() != Guarantee.AT_LEAST_ONCE) return free;
        Next.Held silent = new Next.Held(held.holder(), Duration.ZERO, held.guarantee(), record.since());
        return new Change(
                record.fingerprint(),
                record.token() + 1,
                record.attempt(),
                record.remote(),
                record.memo(),
                record.history(),
                silent);
    }

    /** Whether someone may set out to ask about a doubt. Writing it down first keeps all others from asking too. */
    public static Ruling<Boolean> onProbe(Seen seen, ProbePlan plan) {
        if (!(seen.record().state() instanceof KeyState.InDoubt doubt)
                || seen.now().isBefore(doubt.nextProbe())) return answer(false);
        Next.InDoubt asking = new Next.InDoubt(
                doubt.reason(),
                doubt.probes() + 1,
                plan.timeout(),
                seen.record().since());
        return become(Change.of(seen.record(), asking));
    }

    /**
     * What a finding does to a doubt. That it happened is true whenever it is said of this token; that it did not, or
     * that nobody could tell, counts only while nothing else was written since the probe set out.
     */
    public static Ruling<Boolean> onFinding(
            @Nullable KeyRecord record, KeyRecord asked, Probe.Finding finding, ClaimPolicy policy, Instant at) {
        if (record == null
                || record.token() != asked.token()
                || !(record.state() instanceof KeyState.InDoubt doubt)
                || !(asked.state() instanceof KeyState.InDoubt set)) return answer(false);
        boolean untouched = record.revision() == asked.revision();
        ProbePlan plan = policy.probe();
        String by = "probe " + set.probes();
        return switch (finding) {
            case Probe.Finding.Happened it ->
                become(Change.of(record, new Next.Done(it.outcome(), policy.retention(), policy.tombstone()))
                        .remarked(at, by, "it did happen"));
            case Probe.Finding.DidNotHappen it
            when untouched ->
                become(Change.of(record, new Next.Free(policy.retention())).remarked(at, by, "it did not happen"));
            case Probe.Finding.StillUnknown it
            when untouched && plan != null -> {
                Duration pause = plan.pauseAfter(doubt.probes());
                Next.InDoubt still = new Next.InDoubt(doubt.reason(), doubt.probes(), pause, record.since());
                yield become(Change.of(record, still).remarked(at, by, "still unknown: " + it.why()));
            }
            case Probe.Finding.DidNotHappen late -> answer(false);
            case Probe.Finding.StillUnknown late -> answer(false);
        };
    }

    /**
     * A doubt that a holder outside left: nobody here can ask about it, so it is forgotten as long after it began as an
     * outcome and its tombstone are kept. Until then the record says when to look again, so that nobody has to before.
     */
    public static Ruling<Boolean> onAbandoned(Seen seen, ClaimPolicy policy) {
        KeyRecord record = seen.record();
        if (!record.remote() || !(record.state() instanceof KeyState.InDoubt doubt)) return answer(false);
        Instant end = record.since().plus(keptInDoubt(policy));
        if (!seen.now().isBefore(end))
            return become(Change.of(record, new Next.Free(Duration.ZERO)).remarked(seen.now(), "semel", FORGOTTEN));
        if (!doubt.nextProbe().isBefore(end)) return answer(false);
        Duration left = Duration.between(seen.now(), end);
        return become(Change.of(record, new Next.InDoubt(doubt.reason(), doubt.probes(), left, record.since())));
    }

    private static Duration keptInDoubt(ClaimPolicy policy) {
        return policy.retention().plus(policy.tombstone());
    }

    private static Duration firstLook(KeyRecord record, ClaimPolicy policy) {
        return record.remote() ? keptInDoubt(policy) : firstProbe(policy);
    }

    private static Duration firstProbe(ClaimPolicy policy) {
        return policy.probe() == null ? Duration.ZERO : policy.probe().after();
    }

    /** What a claim is told about a doubt: with a probe, also when it pays to ask again. */
    private static Claim.InDoubt inDoubt(KeyRecord record, KeyState.InDoubt doubt, Instant now, ClaimPolicy policy) {
        Duration left = Duration.between(now, doubt.nextProbe());
        Duration soon = left.compareTo(RETRY_SOON) < 0 ? RETRY_SOON : left;
        return new Claim.InDoubt(record.since(), doubt.reason(), record.token(), policy.probe() == null ? null : soon);
    }

    private static Claim.InProgress inProgress(KeyRecord record) {
        return new Claim.InProgress(record.since(), RETRY_SOON);
    }

    private static Ruling<Claim> grantAgain(Seen seen, KeyRecord record, ClaimRequest request, String holder) {
        Next.Held held = held(request, holder);
        int attempt = record.attempt() + 1;
        // What a silent holder noted is for this one.
        Memo memo = record.memo().isEmpty() ? request.memo() : record.memo();
        Change again = new Change(
                record.fingerprint(), record.token() + 1, attempt, request.remote(), memo, record.history(), held);
        return become(again.remarked(seen.now(), holder, "attempt " + attempt));
    }

    /** The key counts as absent, but its old record is still there: a new life, with a token above the old one's. */
    private static Ruling<Claim> grantForgotten(Seen seen, ClaimRequest request, String holder) {
        Next.Held held = held(request, holder);
        long token = Math.max(seen.record().token() + 1, NewKey.firstToken(seen.now()));
        return become(
                new Change(request.fingerprint(), token, 1, request.remote(), request.memo(), History.NONE, held));
    }

    private static Next.Held held(ClaimRequest request, String holder) {
        return new Next.Held(holder, request.policy().lease(), request.policy().guarantee(), null);
    }

    private static Ruling<Settlement> superseded() {
        return answer(new Settlement.Superseded());
    }

    private static <A> Ruling<A> become(Change change) {
        return new Ruling.Become<>(change);
    }

    private static <A> Ruling<A> answer(A answer) {
        return new Ruling.Answer<>(answer);
    }
}
