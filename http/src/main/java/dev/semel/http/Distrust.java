package dev.semel.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Why an answer is not believed although its status says that nothing ran: it leaves the key in doubt. */
public enum Distrust {
    /**
     * Envoy, and so Istio, answers 503 also when the connection broke after the request was forwarded. An answer of the
     * service behind it carries the time that the service took. A second Envoy in the chain adds that time to what the
     * first one made up, so Envoy's own text counts as well.
     */
    MADE_BY_MESH("an Envoy or Istio proxy made it itself (Server: envoy or istio-envoy without"
            + " x-envoy-upstream-service-time, or Envoy's own error text; no Retry-After): such a proxy answers so"
            + " also when the connection broke after the request was forwarded") {
        @Override
        boolean appliesTo(Headers headers, byte[] body) {
            if (headers.first(RETRY_AFTER) != null) return false;
            boolean answeredBehind = headers.first("x-envoy-upstream-service-time") != null;
            return (isFromEnvoy(headers) && !answeredBehind) || isEnvoyText(body);
        }
    },
    /** A service that turns a request away on purpose says when to come back. */
    NO_RETRY_AFTER("it has no Retry-After, so it may not come from a service that turned the request away on purpose") {
        @Override
        boolean appliesTo(Headers headers, byte[] body) {
            return headers.first(RETRY_AFTER) == null;
        }
    };

    private static final String RETRY_AFTER = "Retry-After";
    private static final byte[] ENVOY_TEXT =
            "upstream connect error or disconnect/reset before headers".getBytes(StandardCharsets.US_ASCII);

    private final String when;

    Distrust(String when) {
        this.when = when;
    }

    /** Follows "when": which answers are not believed, and why. */
    public String when() {
        return when;
    }

    /** @param body what there is of it */
    abstract boolean appliesTo(Headers headers, byte[] body);

    private static boolean isFromEnvoy(Headers headers) {
        return headers.all("Server").stream()
                .map(String::strip)
                .anyMatch(it -> it.equalsIgnoreCase("envoy") || it.equalsIgnoreCase("istio-envoy"));
    }

    private static boolean isEnvoyText(byte[] body) {
        int length = ENVOY_TEXT.length;
        return body.length >= length && Arrays.equals(body, 0, length, ENVOY_TEXT, 0, length);
    }
}
