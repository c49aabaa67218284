package dev.semel.gateway.config;

import dev.semel.http.DurationText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them. */
public final class Quantities {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB)?");

    private Quantities() {}

    /** @throws IllegalArgumentException when the text is no duration, such as 250ms, 30s, 5m, 24h or 30d */
    public static Duration duration(String text) {
        return DurationText.parse(text);
    }

    static Duration positive(String text) {
        Duration duration = duration(text);
        if (duration.isZero()) throw new IllegalArgumentException("'" + text + "' must be more than nothing");
        return duration;
    }

    static long bytes(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches())
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write a number and B, KiB, MiB or GiB, such as 1MiB");
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        if (unit == null || unit.equals("B")) return number;
        return switch (unit) {
            case "KiB" -> number << 10;
            case "MiB" -> number << 20;
            default -> number << 30;
        };
    }
}
