package dev.semel.broker.webhook.http;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header of this name: seconds, or a date. */
final class RetryAfter {
    private RetryAfter() {}

    /** Null when it says nothing, or a moment that is over. */
    static @Nullable Duration read(@Nullable String value, Clock clock) {
        if (value == null) return null;
        String text = value.strip();
        if (text.matches("[0-9]{1,9}")) return positive(Duration.ofSeconds(Long.parseLong(text)));
        try {
            ZonedDateTime until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            return positive(Duration.between(clock.instant(), until));
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable Duration positive(Duration pause) {
        return pause.isNegative() || pause.isZero() ? null : pause;
    }
}
