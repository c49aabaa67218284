package dev.semel.messaging.letter;

import dev.semel.messaging.message.OutgoingMessage;
import java.time.Instant;

/**
 * A message that its broker did not take, or that waits behind one.
 *
 * @param position its order among those of its key
 * @param parkedAt when it became one
 * @param attempts how often it was tried
 * @param due whether it is being sent again
 * @param kind one word for what went wrong; {@code tail} when it only waits behind another
 * @param error what the broker said
 * @param payloadBytes how large its payload is; in a list the payload itself is left out
 */
public record DeadLetter(
        long position,
        Instant parkedAt,
        int attempts,
        boolean due,
        String kind,
        String error,
        int payloadBytes,
        OutgoingMessage message) {}
