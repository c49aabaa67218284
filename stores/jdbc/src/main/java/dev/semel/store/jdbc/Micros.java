package dev.semel.store.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Microseconds, which is what the database counts in. */
final class Micros {
    private Micros() {}

    /** Rounded up, so that nothing ends before its time. */
    static long of(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration.plusNanos(999));
    }

    static @Nullable Long orNull(@Nullable Duration duration) {
        return duration == null ? null : of(duration);
    }

    static long of(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    static @Nullable Long orNull(@Nullable Instant instant) {
        return instant == null ? null : of(instant);
    }

    /** The duration as the database will have it. */
    static Duration roundedUp(Duration duration) {
        return Duration.of(of(duration), ChronoUnit.MICROS);
    }
}
