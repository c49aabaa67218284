package dev.semel.http.tenant;

import dev.semel.http.Headers;
import java.util.List;
import java.util.regex.Pattern;

/** What stands after {@code Bearer} in the Authorization header of a request (RFC 6750). */
sealed interface BearerToken {

    /** Three parts of base64url with dots between; nothing is verified yet. */
    record Present(String token) implements BearerToken {
        @Override
        public String toString() {
            return "Present[token=***]";
        }
    }

    record Absent(String why) implements BearerToken {}

    int MAX_LENGTH = 16 * 1024;

    String SCHEME = "Bearer ";

    /** Stricter than most parsers: one token has one spelling. An unsigned one, whose last part is empty, is none. */
    Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]++\\.[A-Za-z0-9_-]++\\.[A-Za-z0-9_-]++");

    static BearerToken read(Headers headers) {
        List<String> values = headers.all("Authorization");
        if (values.isEmpty()) return absent("The Authorization header is missing.");
        if (values.size() > 1) return absent("The Authorization header was sent " + values.size() + " times.");
        String value = values.getFirst();
        if (value.length() > MAX_LENGTH) return absent("The Authorization header is too long.");
        if (!value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
            return absent("The Authorization header does not hold a bearer token.");
        String token = value.substring(SCHEME.length()).strip();
        return SHAPE.matcher(token).matches()
                ? new Present(token)
                : absent("The bearer token is not a signed JSON Web Token.");
    }

    private static Absent absent(String what) {
        return new Absent(what + " Send 'Authorization: Bearer' and a signed token once.");
    }
}
