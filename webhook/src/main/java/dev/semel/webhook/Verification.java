package dev.semel.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known of a webhook that came in. */
public sealed interface Verification {
    /**
     * Somebody who has the key sent it.
     *
     * @param id what it has in common with its duplicates
     * @param sentAt when it says that it was sent; null where the scheme does not say
     */
    record Genuine(String id, @Nullable Instant sentAt) implements Verification {}

    /**
     * It must not be believed.
     *
     * @param reason for the log; tells nothing that would help to forge one
     */
    record Rejected(String reason) implements Verification {}
}
