package dev.semel.client.ledger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a client writes down what it is about to send, so that it sends the same key again after a crash.
 *
 * <p>An intent has at most one entry. What a method has written is durable when it returns. All methods throw {@link
 * LedgerException} when they cannot tell, and are safe for use by any thread.
 */
public interface Ledger extends AutoCloseable {
    /**
     * Writes an entry, unless its intent has one.
     *
     * @return the entry that is there, which is left as it is; null when the new one was written
     */
    @Nullable
    Entry remember(Entry.Pending entry);

    /** What is known of that intent; null for nothing. */
    @Nullable
    Entry find(String intent);

    /**
     * One more try is about to begin.
     *
     * @return the entry with that try counted, and with those of others; null when the entry with this key is pending
     *     no longer
     */
    Entry.@Nullable Pending attempt(Entry.Pending entry, Instant now);

    /**
     * The definitive answer is there. Writes it as long as the entry is the one that was seen: same key, as many tries,
     * and pending.
     *
     * @return whether it was written
     */
    boolean settle(Entry.Pending entry, Response response, Instant now);

    /**
     * Removes an entry, as long as it is the one that was seen: same key, as many tries, and settled or not as then.
     *
     * @return whether it was removed
     */
    boolean remove(Entry seen);

    /** The intents that have no definitive answer, oldest first. */
    List<String> pending();

    /** Removes what was settled before then. Of what this removes it need not be durable that it did. */
    void forgetSettledBefore(Instant then);

    @Override
    void close();
}
