package dev.semel.webhook.receive;

import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A webhook that its sender has signed.
 *
 * @param id the sender's, the same however often it is sent
 * @param sentAt when it says that it was sent; null where the scheme does not say
 * @param header the value of a header by its name in lower case, null when it is missing. Headers are not signed, but for those of
 *     the scheme
 * @param body every byte of it, as it came
 */
public record IncomingWebhook(
        String id, @Nullable Instant sentAt, Function<String, @Nullable String> header, byte[] body) {

    /** Neither headers nor body: what they hold is nobody's business in a log. */
    @Override
    public String toString() {
        return "webhook " + id;
    }
}
