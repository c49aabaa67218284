package dev.semel.http;

import dev.semel.core.key.KeyId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Where a client that lost its answer can ask what became of a key. */
public final class StatusLink {
    /** The path under which keys can be asked for; the key follows, percent-encoded. */
    public static final String PREFIX = "/.semel/v1/keys/";

    private StatusLink() {}

    public static String of(KeyId id) {
        return PREFIX + encode(id.key()) + "?operation=" + encode(id.operation());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
