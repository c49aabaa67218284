package dev.semel.http;

import dev.semel.http.KeyReading.Absent;
import dev.semel.http.KeyReading.Malformed;
import dev.semel.http.KeyReading.Present;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an idempotency key from a header. A key has 1 to 255 visible ASCII characters (0x21 to 0x7e) and is written
 * either as an RFC 8941 string, <code>"abc"</code> with <code>\"</code> and <code>\\</code> as the only escapes, or
 * bare, {@code abc}. Both spellings are the same key. Parameters after a string, <code>"abc";v=1</code>, are allowed
 * and mean nothing.
 *
 * <p>A bare key is taken as it stands, backslashes, commas and semicolons included; only a double quote must not occur
 * in it, because half a quoted string is a mistake and not a name. Two keys that an intermediary has joined into one
 * line are refused wherever they can be told from one key.
 */
public final class IdempotencyKey {
    /** The header that clients send unless an API says otherwise. */
    public static final String HEADER = "Idempotency-Key";

    public static final int MAX_LENGTH = 255;

    /** The longest key with every character escaped, its quotes, and room for parameters. */
    private static final int MAX_RAW_LENGTH = 1024;

    private static final Pattern PARAMETERS = Pattern.compile("""
        (?x)
        (?: ; \\x20* [a-z*] [a-z0-9_.*-]*+
            (?: = (?: -? [0-9]{1,12} \\. [0-9]{1,3}
                    | -? [0-9]{1,15}
                    | " (?: [\\x20\\x21\\x23-\\x5b\\x5d-\\x7e] | \\\\ ["\\\\] )*+ "
                    | [A-Za-z*] [!\\x23$%&'*+.^_`|~0-9A-Za-z:/-]*+
                    | : [A-Za-z0-9+/=]*+ :
                    | [?] [01] )
            )?
        )*+\
        """);

    private IdempotencyKey() {}

    public static KeyReading read(Headers headers, String header) {
        List<String> values = headers.all(header);
        if (values.isEmpty()) return new Absent();
        if (values.size() > 1) return malformed(header, "was sent " + values.size() + " times; send it once");
        return read(values.getFirst(), header);
    }

    /** Whether this is a key as it stands, without quotes or escapes. */
    public static boolean isKey(String text) {
        return !text.isEmpty() && text.length() <= MAX_LENGTH && firstStranger(text) == null;
    }

    private static KeyReading read(String sent, String header) {
        String value = withoutOuterSpace(sent);
        if (value.isEmpty()) return malformed(header, "is empty");
        if (value.length() > MAX_RAW_LENGTH) return tooLong(header);
        return value.charAt(0) == '"' ? quoted(value, header) : bare(value, header);
    }

    private static KeyReading quoted(String value, String header) {
        StringBuilder key = new StringBuilder(value.length());
        int at = 1;
        while (at < value.length() && value.charAt(at) != '"') {
            if (value.charAt(at) == '\\' && !isEscape(value, at++))
                return malformed(header, "has a backslash that escapes neither a double quote nor a backslash");
            key.append(value.charAt(at++));
        }
        if (at == value.length()) return malformed(header, "begins with a double quote and has no closing one");
        String rest = value.substring(at + 1);
        if (!PARAMETERS.matcher(rest).matches())
            return malformed(header, "goes on after the closing double quote; one key is taken, not a list");
        return checked(key.toString(), header);
    }

    private static boolean isEscape(String value, int backslash) {
        if (backslash + 1 == value.length()) return false;
        char escaped = value.charAt(backslash + 1);
        return escaped == '"' || escaped == '\\';
    }

    private static KeyReading bare(String value, String header) {
        return value.indexOf('"') >= 0
                ? malformed(header, "has a double quote inside, and does not begin with one")
                : checked(value, header);
    }

    private static KeyReading checked(String key, String header) {
        if (key.isEmpty()) return malformed(header, "is an empty string");
        String stranger = firstStranger(key);
        if (stranger != null) return malformed(header, "holds " + stranger);
        return key.length() > MAX_LENGTH ? tooLong(header) : new Present(key);
    }

    private static @Nullable String firstStranger(String key) {
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == ' ') return "a space";
            if (c < ' ' || c == 0x7f) return "a control character";
            if (c > 0x7f) return "a character outside ASCII";
        }
        return null;
    }

    private static String withoutOuterSpace(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isSpace(value.charAt(from))) from++;
        while (from < to && isSpace(value.charAt(to - 1))) to--;
        return value.substring(from, to);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static Malformed tooLong(String header) {
        return malformed(header, "is too long");
    }

    private static Malformed malformed(String header, String what) {
        return new Malformed("The " + header + " header " + what + ". A key is 1 to " + MAX_LENGTH
                + " visible ASCII characters, bare or as a quoted string, for example a random UUID.");
    }
}
