package dev.semel.http;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the configuration writes them: {@code 250ms}, {@code 30s}, {@code 24h}, {@code 30d}. */
public final class DurationText {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private DurationText() {}

    /** @throws IllegalArgumentException when the text is no duration, such as 250ms, 30s, 5m, 24h or 30d */
    public static Duration parse(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches())
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write a number and ms, s, m, h or d, such as 30s");
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        if (duration.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException("'" + text + "' is more than a hundred years");
        return duration;
    }

    public static String of(Duration duration) {
        if (duration.toMillis() % 1000 != 0) return duration.toMillis() + "ms";
        long seconds = duration.toSeconds();
        if (seconds != 0 && seconds % 86_400 == 0) return seconds / 86_400 + "d";
        if (seconds != 0 && seconds % 3_600 == 0) return seconds / 3_600 + "h";
        if (seconds != 0 && seconds % 60 == 0) return seconds / 60 + "m";
        return seconds + "s";
    }
}
