package dev.semel.client;

import dev.semel.client.ledger.Call;
import java.util.Map;

/**
 * Supplies the secret headers of a request, such as {@code Authorization}, for every try anew: they are never written
 * down, and a token that was good before a restart may have expired since. Called by any thread.
 */
@FunctionalInterface
public interface Credentials {
    Credentials NONE = call -> Map.of();

    /** @throws Exception when there are none now; then nothing is sent, and the call stays pending */
    Map<String, String> headersFor(Call call) throws Exception;
}
