package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps key records: all that a request needs. The engine decides what a record becomes; a store inserts or returns,
 * compares and sets, and finds. It has no opinion about the life of a key.
 *
 * <p>Safe for use by any number of threads; every call may block. <b>Durable when it returns:</b> what a call says was
 * written survives whatever the {@linkplain StoreTraits traits} declare, and nobody could see it before. Every instant in
 * an answer is of the store's own clock. A call that cannot be answered throws {@link StoreException}, which says whether
 * the write may have happened.
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

        /**
         * An open transaction of a caller's own has {@linkplain JoiningKeyStore reserved} the key: nothing is to be seen
         * yet, and nothing was written.
         */
        record Busy() implements Inserted {}
    }

    /** What {@link #replace} found. */
    sealed interface Replaced {
        /** The record still had the revision that was seen; now it is this one. */
        record Swapped(KeyRecord record) implements Replaced {}

        /** The record had moved on; nothing was written. Null when there is no record any more. */
        record Moved(@Nullable Seen current) implements Replaced {}
    }

    /**
     * Writes a first claim if the store has no record of the key, else returns what it has; where the server forgets, a
     * record may be gone from the moment it expires. Of any number of concurrent
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

    /** The store's clock. */
    Instant now();

    /** What this store, as it is set up now, promises and can do. The same for as long as it is open. */
    StoreTraits traits();

    /** For looking after many keys; null when this store only serves requests. */
    default @Nullable KeyIndex index() {
        return null;
    }

    /** For claims in a transaction of the caller's; null when this store cannot be part of one. */
    default @Nullable JoiningKeyStore joining() {
        return null;
    }

    /** Tells of changes that others make, for those who wait; null when this store cannot. */
    default @Nullable KeyNews news() {
        return null;
    }

    @Override
    void close();
}
