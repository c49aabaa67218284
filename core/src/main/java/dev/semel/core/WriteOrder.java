package dev.semel.core;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps writes to a resource in order: once a version was let through, a lower one is refused, however late it comes and
 * wherever in the fleet. What was let through is kept like the outcome of a key.
 *
 * <p>Safe for use by any thread. When a write is accepted, its version is durable: after that no lower one is.
 */
public final class WriteOrder {
    private static final Fingerprint ANY_WRITE = Fingerprint.of(0, new byte[] {0});
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final int MOST_LOST_ANSWERS = 2;

    private final KeyStore store;
    private final HolderNames writers;
    private final AtomicLong ids = new AtomicLong(new SecureRandom().nextLong());

    public WriteOrder(KeyStore store) {
        this.store = store;
        this.writers = HolderNames.on(store);
    }

    /** What becomes of a write. */
    public sealed interface Verdict {
        /** @param write names this write and no other: for whoever has to withdraw it */
        record Accepted(long write) implements Verdict {}

        /** A write with this higher version was let through before. */
        record Stale(long last) implements Verdict {}
    }

    /**
     * Asks to let a write through. One with the version of the last is let through too, and recorded like any other: as
     * long as one of them may have run, that version stays.
     *
     * @param keep how long the version is remembered
     * @throws StoreException when the store does not answer; the write must not be let through then
     */
    public Verdict advance(KeyId resource, long version, Duration keep) {
        LetThrough.Write write = new LetThrough.Write(ids.incrementAndGet(), version);
        int lostAnswers = 0;
        for (int round = 0; round < Claiming.MOST_LOST_RACES; round++) {
            try {
                Seen seen = findOrInsert(resource);
                LetThrough before = letThrough(seen);
                // Written before, and only its answer was lost.
                if (before.has(write)) return new Verdict.Accepted(write.id());
                if (version < before.last()) return new Verdict.Stale(before.last());
                if (store.replace(seen.record(), to(seen.record(), before.with(write), keep))
                        instanceof Replaced.Swapped) return new Verdict.Accepted(write.id());
            } catch (StoreException e) {
                // Written or not: the next look tells.
                if (e.applied() == StoreException.Applied.NO || ++lostAnswers > MOST_LOST_ANSWERS) throw e;
            }
        }
        throw StoreException.notApplied("Versions change faster than one can be written: " + resource, null);
    }

    /**
     * Takes back one write that is known not to have run, so that its version does not stand in the way of lower ones.
     * All others stay, those of the same version too.
     *
     * @param write as its verdict named it
     * @throws StoreException when the store does not answer; then the version stays
     */
    public void withdraw(KeyId resource, long version, long write, Duration keep) {
        LetThrough.Write unwanted = new LetThrough.Write(write, version);
        for (int round = 0; round < Claiming.MOST_LOST_RACES; round++) {
            Seen seen = store.find(resource);
            LetThrough before = seen == null ? LetThrough.NOTHING : letThrough(seen);
            if (seen == null || !before.has(unwanted)) return;
            if (store.replace(seen.record(), to(seen.record(), before.without(unwanted), keep))
                    instanceof Replaced.Swapped) return;
        }
    }

    private Seen findOrInsert(KeyId resource) {
        Seen present = store.find(resource);
        if (present != null) return present;
        return switch (store.insert(new NewKey(resource, ANY_WRITE, writers.next(), MOMENT))) {
            case Inserted.Fresh it -> new Seen(it.record(), it.record().since());
            case Inserted.Existing it -> it.seen();
        };
    }

    private static LetThrough letThrough(Seen seen) {
        KeyRecord record = seen.record().asOf(seen.now());
        if (record == null || !(record.state() instanceof KeyState.Done done)) return LetThrough.NOTHING;
        LetThrough read = LetThrough.ofBytes(done.outcome().bytes());
        if (read != null) return read;
        throw StoreException.notApplied(
                "The version of " + record.id() + " cannot be read. Is it sealed with a key that is not given?", null);
    }

    private static Change to(KeyRecord record, LetThrough next, Duration keep) {
        byte[] bytes = next.bytes();
        // All in the clear: a version is no secret, and must not be forgotten with a key.
        return Change.of(record, new Next.Done(Outcome.of(bytes, bytes.length), keep, Duration.ZERO));
    }
}
