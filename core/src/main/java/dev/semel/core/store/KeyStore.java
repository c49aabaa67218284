package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps key records. The engine decides what a record becomes; a store inserts or returns, compares and sets, finds,
 * lists and purges, and has no opinion about the life of a key.
 *
 * <p>Safe for use by any number of threads; every call may block. <b>Durable when it returns:</b> what a call says was
 * written survives whatever the store promises to survive, and nobody could see it before. Every instant in an answer is
 * of the store's own clock. A call that cannot be answered throws {@link StoreException}, which says whether the write
 * may have happened.
 *
 * <p>The laws are checked for every store by {@code KeyStoreContract} in the testkit.
 */
public interface KeyStore extends AutoCloseable {

    /** What {@link #insert} found. */
    sealed interface Inserted {
        /** There was nothing; this record was written. */
        record Fresh(KeyRecord record) implements Inserted {}

        /** There was a record, expired or not; nothing was written. */
        record Existing(Seen seen) implements Inserted {}
    }

    /** What {@link #replace} found. */
    sealed interface Replaced {
        /** The record still had the revision that was seen; now it is this one. */
        record Swapped(KeyRecord record) implements Replaced {}

        /** The record had moved on; nothing was written. Null when there is no record any more. */
        record Moved(@Nullable Seen current) implements Replaced {}
    }

    /**
     * One purge step.
     *
     * @param looked how many records the step looked at
     * @param removed how many forgotten keys it removed
     * @param stripped how many outcomes past their retention it cut down to a tombstone
     * @param finished whether the step reached the end of the store; the next one starts over
     * @param unsettled keys it came across that are in doubt, or whose holder is past its lease, for whoever sees to
     *     them
     * @param unreadable the digests, in hexadecimal, of records it came across that it could not read, and left as they
     *     are
     * @param inDoubt how many of the records it looked at are in doubt, also those whose next probe is not due yet
     */
    record Purged(
            long looked,
            long removed,
            long stripped,
            boolean finished,
            List<KeyId> unsettled,
            List<String> unreadable,
            long inDoubt) {
        public Purged(long looked, long removed, long stripped, boolean finished) {
            this(looked, removed, stripped, finished, List.of(), List.of(), 0);
        }
    }

    /** What a write that was answered survives. */
    enum Survives {
        /** Gone with the process that keeps it. */
        NOTHING,
        /** The death of every process, but not of the machine. */
        PROCESS_DEATH,
        /** Also the loss of power. */
        POWER_LOSS
    }

    /**
     * Writes a first claim if the store has no record of the key, else returns what it has. Of any number of concurrent
     * inserts of a key exactly one is {@code Fresh}. Two keys with equal digests never share a record: should their ids
     * differ, the call throws.
     */
    Inserted insert(NewKey key);

    /**
     * Writes the change if the record still has the revision of {@code seen}; else writes nothing, whoever asks. Of
     * {@code seen} only id and revision count: what else it says may be in another form than the store has it.
     */
    Replaced replace(KeyRecord seen, Change change);

    /** The record of the key, expired or not; null when there is none. */
    @Nullable
    Seen find(KeyId id);

    /** The records of many keys in one look; keys without a record are left out. */
    List<Seen> findAll(Collection<KeyId> ids);

    /** One page of keys, as they count now. Keys that count as absent are left out, and those that cannot be read. */
    Listing.Page list(Listing listing);

    /**
     * How many records there are of a tenant, in whatever state; those that are expired and not purged yet may be left
     * out. What was inserted before the call is counted, whoever inserted it. Counts no further than {@code upTo}.
     *
     * @param tenant not the empty one, which nobody has a quota for
     */
    long count(String tenant, long upTo);

    /**
     * One bounded step of cleaning, starting where the last one stopped: removes what is forgotten and cuts outcomes
     * past their retention down to tombstones. Changes nothing that any caller could tell from {@link KeyRecord#asOf},
     * never touches a record that has moved on, and holds up other calls only for moments. A record that cannot be read
     * is passed over, stays as it is, and is named in the answer.
     */
    Purged purge(int limit);

    /** What {@code durable} means here, as this store is set up now. */
    Survives survives();

    /**
     * Its present life, if no other process can have it open; null where others may hold keys. Every record that such a
     * store gives is {@link StoreLife#asOf as it counts in this life}.
     */
    default @Nullable StoreLife life() {
        return null;
    }

    /** The store's clock. */
    Instant now();

    @Override
    void close();
}
