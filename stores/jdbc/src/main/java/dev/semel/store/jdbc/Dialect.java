package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases, for one that is open: how the statements are said, and nothing about when. Each call is
 * one round trip, and what it writes is one transaction. Every time is of the database's clock.
 *
 * <p>Safe for use by any thread.
 */
interface Dialect {

    /** What an insert found. A record that cannot be read fails only the caller that asked for it. */
    sealed interface InsertResult {
        record Known(Inserted inserted) implements InsertResult {}

        record Unreadable(StoreException why) implements InsertResult {}
    }

    /** How many new keys one statement takes. */
    int mostInserts();

    /**
     * Inserts all that are not there, and gives what is, by digest. A key is missing in the answer when the other insert that
     * it met is not to be seen yet, or a transaction of a caller's own has it: nobody waits for that one to end.
     *
     * @param keys different ones, in the order of their digests
     */
    Map<ByteBuffer, InsertResult> insert(List<NewKey> keys);

    /**
     * Writes each change over the very revision that was seen, and tells by digest when. Those that have moved on are
     * missing, and those that cannot be had without waiting for a transaction of a caller's own may be.
     *
     * @param replaces of different keys, in the order of their digests
     */
    Map<ByteBuffer, Instant> replace(List<Replace> replaces);

    /** The row as it stands, whatever it counts as by now. */
    Optional<Seen> find(KeyId id);

    /** Many rows, all as they stood at one moment. */
    List<Seen> findAll(Collection<KeyId> ids);

    long count(String tenant, long upTo);

    Instant now();

    /** One step of the walk over all rows. */
    Swept sweep(int limit);

    Listing.Page list(Listing asked);

    SqlFailures failures();

    /** Whether an insert of this key may have to wait for a transaction of a caller's, and so must not hold up others. */
    default boolean isJoined(KeyId id) {
        return false;
    }

    /** What the database promises as it is set up now. */
    StoreTraits traits();

    /** Null where a transaction of a caller's own cannot have keys. */
    default @Nullable JoiningKeyStore joining() {
        return null;
    }
}
