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
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps writes to a resource in order: once a version was let through, a lower one is refused, however late it comes and
 * wherever in the fleet. The last version of a resource is kept like the outcome of a key.
 *
 * <p>Safe for use by any thread. When a write is accepted, its version is durable: after that no lower one is.
 */
public final class WriteOrder {
    private static final Fingerprint ANY_WRITE = Fingerprint.of(0, new byte[] {0});
    private static final Duration MOMENT = Duration.ofSeconds(1);
    /** Lower than every version that can be asked for. */
    private static final long NO_VERSION = -1;

    private static final int MOST_LOST_ANSWERS = 2;
    private static final byte FORMAT = 1;

    private final KeyStore store;
    private final HolderNames writers = new HolderNames();

    public WriteOrder(KeyStore store) {
        this.store = store;
    }

    /** What becomes of a write. */
    public sealed interface Verdict {
        /** @param before what to withdraw to, should the write come to nothing; null when nothing was written for it */
        record Accepted(@Nullable Long before) implements Verdict {}

        /** A write with this higher version was let through before. */
        record Stale(long last) implements Verdict {}
    }

    /**
     * Asks to let a write through.
     *
     * @param keep how long the version is remembered
     * @throws StoreException when the store does not answer; the write must not be let through then
     */
    public Verdict advance(KeyId resource, long version, Duration keep) {
        int lostAnswers = 0;
        for (int round = 0; round < Claiming.MOST_LOST_RACES; round++) {
            try {
                Seen seen = findOrInsert(resource);
                Long last = versionOf(seen);
                if (last != null && version < last) return new Verdict.Stale(last);
                if (last != null && version == last) return new Verdict.Accepted(null);
                if (store.replace(seen.record(), to(seen.record(), version, keep)) instanceof Replaced.Swapped)
                    return new Verdict.Accepted(last == null ? NO_VERSION : last);
            } catch (StoreException e) {
                // Written or not: the next look tells.
                if (e.applied() == StoreException.Applied.NO || ++lostAnswers > MOST_LOST_ANSWERS) throw e;
            }
        }
        throw StoreException.notApplied("Versions change faster than one can be written: " + resource, null);
    }

    /**
     * Takes a version back whose write is known not to have run, so that it does not stand in the way of lower ones.
     * Does nothing when another was let through since.
     *
     * @param before as its verdict said; null to do nothing
     * @throws StoreException when the store does not answer; then the version stays
     */
    public void withdraw(KeyId resource, long version, @Nullable Long before, Duration keep) {
        Seen seen = before == null ? null : store.find(resource);
        Long last = seen == null ? null : versionOf(seen);
        if (before == null || seen == null || last == null || last != version) return;
        store.replace(seen.record(), to(seen.record(), before, keep));
    }

    private Seen findOrInsert(KeyId resource) {
        Seen present = store.find(resource);
        if (present != null) return present;
        return switch (store.insert(new NewKey(resource, ANY_WRITE, writers.next(), MOMENT))) {
            case Inserted.Fresh it -> new Seen(it.record(), it.record().since());
            case Inserted.Existing it -> it.seen();
        };
    }

    private static @Nullable Long versionOf(Seen seen) {
        KeyRecord record = seen.record().asOf(seen.now());
        if (record == null || !(record.state() instanceof KeyState.Done done)) return null;
        byte[] bytes = done.outcome().bytes();
        if (bytes.length == 1 + Long.BYTES && bytes[0] == FORMAT)
            return ByteBuffer.wrap(bytes).getLong(1);
        throw StoreException.notApplied(
                "The version of " + record.id() + " cannot be read. Is it sealed with a key that is not given?", null);
    }

    private static Change to(KeyRecord record, long version, Duration keep) {
        byte[] bytes =
                ByteBuffer.allocate(1 + Long.BYTES).put(FORMAT).putLong(version).array();
        // All in the clear: a version is no secret, and must not be forgotten with a key.
        return Change.of(record, new Next.Done(Outcome.of(bytes, bytes.length), keep, Duration.ZERO));
    }
}
