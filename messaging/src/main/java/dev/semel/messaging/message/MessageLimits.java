package dev.semel.messaging.message;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a message may consist of. The function {@code semel.append} of the database checks the same, in its own words: change
 * both together.
 */
public final class MessageLimits {
    public static final int LARGEST_PAYLOAD = 1024 * 1024;
    public static final int LONGEST_KEY = 512;
    public static final int LONGEST_TYPE = 255;
    public static final int MOST_HEADERS = 64;
    public static final int LONGEST_HEADER_VALUE = 4096;

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,248}");
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Pattern RESERVED = Pattern.compile("(ce_|ce-|cloudevents|semel-|webhook-|nats-).*");

    private MessageLimits() {}

    static void requireTopic(String topic) {
        if (!TOPIC.matcher(topic).matches())
            throw new IllegalArgumentException(
                    "A topic begins with a letter or digit and goes on with letters, digits and"
                            + " the characters . _ : / - (249 at most); this one does not: \"" + shown(topic) + "\".");
    }

    static void requireKey(String key) {
        requireText("key", key, LONGEST_KEY);
    }

    static void requireType(String type) {
        requireText("type", type, LONGEST_TYPE);
    }

    static void requireHeaders(Map<String, String> headers) {
        if (headers.size() > MOST_HEADERS)
            throw new IllegalArgumentException(
                    "A message has at most " + MOST_HEADERS + " headers, not " + headers.size() + ".");
        headers.forEach(MessageLimits::requireHeader);
    }

    private static void requireHeader(String name, String value) {
        if (!HEADER_NAME.matcher(name).matches())
            throw new IllegalArgumentException("The name of a header is made of 1 to 128 letters, digits and the"
                    + " characters ! # $ % & ' * + . ^ _ ` | ~ -; this one is not: \"" + shown(name) + "\".");
        if (RESERVED.matcher(name.toLowerCase(Locale.ROOT)).matches())
            throw new IllegalArgumentException("The header \"" + name + "\" is one that Semel or a broker sets itself;"
                    + " choose a name that does not begin with ce-, ce_, cloudEvents, semel-, webhook- or nats-.");
        if (!value.isEmpty()) requireText("value of the header " + name, value, LONGEST_HEADER_VALUE);
    }

    static void requirePayload(byte[] payload) {
        if (payload.length > LARGEST_PAYLOAD)
            throw new IllegalArgumentException("A payload has at most " + LARGEST_PAYLOAD + " bytes, not "
                    + payload.length + ". Keep large contents elsewhere, and send where they are.");
    }

    private static void requireText(String what, String text, int longest) {
        if (text.isEmpty()) throw new IllegalArgumentException("The " + what + " must not be empty.");
        if (text.chars().anyMatch(it -> it < ' ' || it == 0x7f))
            throw new IllegalArgumentException(
                    "The " + what + " must not hold control characters: \"" + shown(text) + "\".");
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text))
            throw new IllegalArgumentException("The " + what + " is not well-formed Unicode.");
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > longest)
            throw new IllegalArgumentException(
                    "The " + what + " has at most " + longest + " bytes of UTF-8, not " + bytes + ".");
    }

    /** The beginning of it, without what could disturb a log. */
    private static String shown(String text) {
        String beginning = text.length() > 60 ? text.substring(0, 60) + "…" : text;
        return beginning.replaceAll("\\p{Cntrl}", "?");
    }
}
