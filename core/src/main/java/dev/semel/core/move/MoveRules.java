package dev.semel.core.move;

import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Every decision of a move, as pure functions of what was seen. One law holds throughout: <b>a key that may still change is
 * decided where its record is, and it leaves there by a seal before it is written anywhere else.</b>
 */
final class MoveRules {
    /** A seal that nobody has finished for so long may be the remains of a life that is over. */
    private static final Duration FRESH = Duration.ofHours(1);

    private static final Outcome NO_OUTCOME = Outcome.of(new byte[0]);

    private MoveRules() {}

    /** What is to be done about a key, by its record in the store that it is to leave. */
    sealed interface Finding {
        /** Nothing may change it any more: written in the other store as it is, it may stay here too. */
        record Copy(Seen content) implements Finding {}

        /** Sealed first, then written in the other store. */
        record Leave(Seen content, Change seal) implements Finding {}

        /** Its holder is at work, and is heard only here. */
        record Stay() implements Finding {}

        /** It counts as absent. Before the other store may grant it, it is sealed here. */
        record Absent(Change seal) implements Finding {}

        /** Sealed, but perhaps not yet written in the other store. */
        record Unfinished(Seen content, long leastToken, Change finished) implements Finding {}

        /** Decided in the other store alone. */
        record Gone(long token) implements Finding {}
    }

    static Finding onBefore(Seen seen) {
        if (MoveMark.isLeft(seen.record())) return onSeal(seen);
        KeyRecord record = MoveMark.isMark(seen.record()) ? null : seen.record().asOf(seen.now());
        if (record == null) return new Finding.Absent(MoveMark.empty(seen.record(), tokenAfter(seen)));
        Seen content = new Seen(record, seen.now());
        return switch (record.state()) {
            case KeyState.Held held when !held.isSilent(seen.now()) -> new Finding.Stay();
            case KeyState.Held silent -> leave(content);
            case KeyState.Free free -> leave(content);
            case KeyState.InDoubt doubt -> leave(content);
            case KeyState.Spent spent -> new Finding.Copy(content);
            case KeyState.Done done -> mayBeRewritten(record.id()) ? leave(content) : new Finding.Copy(content);
        };
    }

    private static Finding leave(Seen content) {
        return new Finding.Leave(content, MoveMark.over(content));
    }

    private static Finding onSeal(Seen seen) {
        KeyRecord seal = seen.record();
        Seen content = MoveMark.below(seen);
        if (content == null) return new Finding.Gone(seal.token());
        boolean fresh = seen.now().isBefore(MoveMark.putAt(seal).plus(FRESH));
        long least = fresh ? 0 : Math.max(seal.token(), NewKey.firstToken(seen.now()));
        return new Finding.Unfinished(content, least, MoveMark.finished(seal));
    }

    private static long tokenAfter(Seen seen) {
        return Math.max(seen.record().token() + 1, NewKey.firstToken(seen.now()));
    }

    /** An outcome never changes. What Semel itself keeps in this form, such as the last version of a resource, does. */
    private static boolean mayBeRewritten(KeyId id) {
        return KeyId.isReserved(id.operation());
    }

    /** Whether a key waits below its seal for somebody to finish its move. */
    static boolean isUnfinished(Seen seen) {
        return MoveMark.isLeft(seen.record()) && MoveMark.below(seen) != null;
    }

    /** Whether a record counts where keys are to be now: it is no mark, and not forgotten. */
    static boolean counts(@Nullable Seen seen) {
        return seen != null && !MoveMark.isMark(seen.record()) && seen.record().asOf(seen.now()) != null;
    }

    /**
     * The record as it is written in the other store: with the times that it has left, for clocks differ.
     *
     * @param there what stands in its place there, which does not count
     * @param leastToken the token may not be lower
     */
    static Change arrival(Seen content, KeyRecord there, long leastToken) {
        KeyRecord record = content.record();
        boolean inOurPlace = MoveMark.isMark(there) && !MoveMark.isLeft(there);
        long token = Math.max(record.token(), inOurPlace ? leastToken : Math.max(leastToken, there.token() + 1));
        return new Change(
                record.fingerprint(),
                token,
                record.attempt(),
                record.remote(),
                record.memo(),
                record.history(),
                next(record, content.now()));
    }

    private static Next next(KeyRecord record, Instant now) {
        return switch (record.state()) {
            case KeyState.Free it -> new Next.Free(left(now, it.forgetAt()));
            case KeyState.Held it ->
                new Next.Held(it.holder(), left(now, it.leaseUntil()), it.guarantee(), record.since());
            case KeyState.InDoubt it ->
                new Next.InDoubt(it.reason(), it.probes(), left(now, it.nextProbe()), record.since());
            case KeyState.Done it -> {
                Duration replayed = left(now, it.replayUntil());
                yield new Next.Done(
                        it.outcome(), replayed, left(now, it.forgetAt()).minus(replayed), record.since());
            }
            case KeyState.Spent it -> new Next.Done(NO_OUTCOME, Duration.ZERO, left(now, it.forgetAt()), it.doneAt());
        };
    }

    private static Duration left(Instant now, Instant until) {
        return now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO;
    }

    /** Whether a change lets somebody else hold the key. */
    static boolean grants(Change change, KeyRecord record) {
        return change.next() instanceof Next.Held && change.token() != record.token();
    }

    /** A first claim over what does not count, with a token above all that either store has seen. */
    static Change firstClaim(NewKey key, Seen there, long sealToken) {
        long token = Math.max(sealToken + 1, tokenAfter(there));
        Next.Held held = new Next.Held(key.holder(), key.lease(), key.guarantee(), null);
        return new Change(key.fingerprint(), token, 1, key.remote(), key.memo(), History.NONE, held);
    }

    /** Whether the engine, by itself, would give a forgotten key a token above that of its seal. */
    static boolean growsByItself(Seen forgotten, long sealToken) {
        return tokenAfter(forgotten) > sealToken;
    }

    /** The same claim with a token above that of the seal: the clock here is behind the one there. */
    static @Nullable Change raised(KeyRecord granted, long sealToken) {
        if (granted.token() > sealToken || !(granted.state() instanceof KeyState.Held held)) return null;
        Duration lease = Duration.between(granted.since(), held.leaseUntil());
        return new Change(
                granted.fingerprint(),
                sealToken + 1,
                granted.attempt(),
                granted.remote(),
                granted.memo(),
                granted.history(),
                new Next.Held(held.holder(), lease, held.guarantee(), granted.since()));
    }
}
