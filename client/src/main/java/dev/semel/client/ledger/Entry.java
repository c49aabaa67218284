package dev.semel.client.ledger;

import java.security.MessageDigest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a ledger knows of one intent. */
public sealed interface Entry {
    /** The caller's name for what it wants. */
    String intent();

    /** The idempotency key that every try carries. */
    String key();

    /** Of the {@link Call}. */
    byte[] digest();

    /** Whether it is about this very request. */
    default boolean isFor(Call call) {
        return MessageDigest.isEqual(digest(), call.digest());
    }

    /**
     * There is no definitive answer yet.
     *
     * @param deadline after this it is not sent any more: the server may have forgotten the key
     * @param attempts how many tries were begun; 0 when it was only written down
     * @param firstSentAt when the first try was begun
     */
    record Pending(
            String intent,
            String key,
            Call call,
            Instant rememberedAt,
            Instant deadline,
            int attempts,
            @Nullable Instant firstSentAt)
            implements Entry {
        @Override
        public byte[] digest() {
            return call.digest();
        }

        /** The same with one more try. */
        public Pending attemptedAt(Instant now) {
            Instant first = firstSentAt == null ? now : firstSentAt;
            return new Pending(intent, key, call, rememberedAt, deadline, attempts + 1, first);
        }
    }

    /** It ended with this answer. The request itself is not kept any longer. */
    record Settled(String intent, String key, byte[] digest, Instant settledAt, Response response) implements Entry {}
}
