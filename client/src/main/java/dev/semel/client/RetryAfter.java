package dev.semel.client;

import dev.semel.client.ledger.Response;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After}: seconds, or a date of HTTP. */
final class RetryAfter {
    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /** @return null when there is none, or none that can be read */
    static @Nullable Duration of(Response response, Instant now) {
        String text = response.header("Retry-After").orElse("").strip();
        if (text.isEmpty()) return null;
        if (text.chars().allMatch(c -> c >= '0' && c <= '9'))
            return text.length() > MOST_DIGITS ? Duration.ofDays(365) : Duration.ofSeconds(Long.parseLong(text));
        try {
            Instant then = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return then.isAfter(now) ? Duration.between(now, then) : Duration.ZERO;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
