package dev.semel.http.service;

import com.fasterxml.jackson.core.JsonToken;
import dev.semel.http.DurationText;
import dev.semel.http.service.Members.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads members as texts, whole numbers and durations within bounds. Refuses whatever else they are. */
final class MemberChecks {
    /** Nobody needs more characters for a number of seconds, or for a duration. */
    private static final int LONGEST_NUMBER = 32;

    private MemberChecks() {}

    /** A string of well-formed Unicode without NUL. */
    static String text(Value value, String pointer, int longest) throws Refusal {
        if (value.kind() != JsonToken.VALUE_STRING) throw Members.flaw(pointer, "there must be a string");
        String text = value.text();
        if (text.isEmpty() || text.length() > longest)
            throw Members.flaw(pointer, "there must be 1 to " + longest + " characters");
        boolean wellFormed = StandardCharsets.UTF_8.newEncoder().canEncode(text);
        if (!wellFormed || text.chars().anyMatch(Character::isISOControl))
            throw Members.flaw(pointer, "there is half a character or a control character in the string");
        return text;
    }

    static long token(Members members) throws Refusal {
        Value value = members.required("token");
        try {
            if (value.kind() == JsonToken.VALUE_NUMBER_INT) return Long.parseLong(value.text());
        } catch (NumberFormatException e) {
            // Too large: refused like the rest.
        }
        throw Members.flaw("/token", "there must be the token as it was answered to the claim, a whole number");
    }

    /** A text such as {@code "30s"}, or a number of seconds. */
    static Duration duration(@Nullable Value value, String pointer, Duration otherwise, Duration least, Duration most)
            throws Refusal {
        if (value == null) return otherwise;
        Duration duration = duration(value);
        if (duration == null)
            throw Members.flaw(pointer, "there must be a duration such as \"30s\", or a number of seconds");
        if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0)
            throw Members.flaw(pointer, "there must be " + DurationText.of(least) + " to " + DurationText.of(most));
        return duration;
    }

    private static @Nullable Duration duration(Value value) {
        if (value.text().length() > LONGEST_NUMBER) return null;
        try {
            if (value.kind() == JsonToken.VALUE_STRING) return DurationText.parse(value.text());
            return value.kind().isNumeric() ? Duration.ofMillis(millis(value.text())) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** However many there are: a double overflows to infinity, and rounding to the farthest long. */
    private static long millis(String seconds) {
        return Math.round(Double.parseDouble(seconds) * 1000);
    }
}
