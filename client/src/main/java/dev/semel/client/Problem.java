package dev.semel.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.semel.client.ledger.Response;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an answer in JSON says about a failure: the members of RFC 9457, and of Stripe's {@code error}. Empty where it
 * says nothing that is understood here.
 *
 * @param members texts by name; those of the member {@code error} as {@code error.type} and so on
 */
record Problem(Map<String, String> members) {
    static final Problem NONE = new Problem(Map.of());

    private static final JsonFactory JSON = new JsonFactory();
    private static final String SEMEL = "urn:semel:problem:";
    /** How long a body may be that is looked into. */
    static final int LARGEST = 1 << 16;

    /** Whether it may say something about the key that cannot be read here: it was cut, or is compressed. */
    static boolean isUnread(Response response) {
        String encoding = response.header("Content-Encoding").orElse("identity");
        return !response.whole() || response.body().length > LARGEST || !encoding.equalsIgnoreCase("identity");
    }

    static Problem of(Response response) {
        String type = response.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.contains("json") || response.body().length > LARGEST) return NONE;
        Map<String, String> members = new HashMap<>();
        try (JsonParser parser = JSON.createParser(response.body())) {
            if (parser.nextToken() == JsonToken.START_OBJECT) read(parser, "", members);
            return new Problem(members);
        } catch (IOException e) {
            return NONE;
        }
    }

    private static void read(JsonParser parser, String prefix, Map<String, String> members) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = prefix + parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_STRING) members.put(name, parser.getText());
            else if (value == JsonToken.START_OBJECT && name.equals("error")) read(parser, "error.", members);
            else parser.skipChildren();
        }
    }

    /** The name of a problem of Semel's, such as {@code in-progress}; null for others. */
    @Nullable
    String semel() {
        String type = get("type");
        return type.startsWith(SEMEL) ? type.substring(SEMEL.length()) : null;
    }

    String get(String member) {
        return members.getOrDefault(member, "");
    }

    /** Whether it is about the key, in some server's own words. */
    boolean speaksOfIdempotency() {
        for (String member :
                new String[] {"type", "title", "detail", "error", "message", "error.type", "error.code", "error.message"
                }) if (get(member).toLowerCase(Locale.ROOT).contains("idempoten")) return true;
        return false;
    }
}
