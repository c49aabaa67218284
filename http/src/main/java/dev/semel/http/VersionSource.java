package dev.semel.http;

import dev.semel.http.VersionReading.Absent;
import dev.semel.http.VersionReading.At;
import dev.semel.http.VersionReading.Malformed;
import dev.semel.http.json.FieldReading;
import dev.semel.http.template.Placeholder;
import dev.semel.http.template.PlaceholderReader;
import java.util.EnumSet;
import java.util.List;

/**
 * Where the writes of a route have their version: {@code header:If-Match}, {@code header:X-Version} or
 * {@code body:/version}. A version is a whole number from 0 to 2<sup>63</sup> − 1, bare or as an entity tag:
 * {@code 7}, {@code "7"}, {@code W/"7"}. Immutable, for use by any thread.
 */
public final class VersionSource {
    private final Placeholder place;
    private final PlaceholderReader reader;

    private VersionSource(Placeholder place) {
        this.place = place;
        this.reader = PlaceholderReader.of(List.of(place));
    }

    /** @throws IllegalArgumentException with what is wrong, when this is neither a header nor a place in the body */
    public static VersionSource parse(String text) {
        return new VersionSource(Placeholder.parse(text, EnumSet.of(Placeholder.Kind.HEADER, Placeholder.Kind.BODY)));
    }

    public VersionReading of(HttpRequest request) {
        return switch (reader.read(RequestValues.of(null, request)).getFirst()) {
            case FieldReading.Nothing nothing -> new Absent();
            case FieldReading.Unusable(String why) -> malformed(why);
            case FieldReading.Value(String text) -> number(untagged(text));
        };
    }

    private static String untagged(String text) {
        int open = text.startsWith("W/\"") ? 2 : 0;
        boolean tag = text.length() >= open + 2 && text.charAt(open) == '"' && text.endsWith("\"");
        return tag ? text.substring(open + 1, text.length() - 1) : text;
    }

    private VersionReading number(String digits) {
        long version = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) return malformed("This is not a whole number.");
            if (version > (Long.MAX_VALUE - digit) / 10) return malformed("This number is too large.");
            version = 10 * version + digit;
        }
        return digits.isEmpty() ? malformed("This is not a whole number.") : new At(version);
    }

    private Malformed malformed(String what) {
        return new Malformed("The version of this operation is " + place + ". " + what
                + " A version is a whole number from 0 to " + Long.MAX_VALUE
                + ", bare or as an entity tag, for example \"7\".");
    }

    /** The configured text. */
    @Override
    public String toString() {
        return place.toString();
    }
}
