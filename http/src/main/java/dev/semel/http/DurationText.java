package dev.semel.http;

import java.time.Duration;

/** Durations as the configuration writes them: {@code 250ms}, {@code 30s}, {@code 24h}, {@code 30d}. */
public final class DurationText {
    private DurationText() {}

    public static String of(Duration duration) {
        if (duration.toMillis() % 1000 != 0) return duration.toMillis() + "ms";
        long seconds = duration.toSeconds();
        if (seconds != 0 && seconds % 86_400 == 0) return seconds / 86_400 + "d";
        if (seconds != 0 && seconds % 3_600 == 0) return seconds / 3_600 + "h";
        if (seconds != 0 && seconds % 60 == 0) return seconds / 60 + "m";
        return seconds + "s";
    }
}
