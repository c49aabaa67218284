package dev.semel.http.key;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How old a key may be when it is sent. A UUID of version 7 carries the millisecond of its birth; other keys carry no
 * time, and are not judged. With an age no greater than the time for which keys are remembered, a very late retry is
 * refused, where it would otherwise be taken for a new request.
 *
 * @param max greater than zero
 */
public record KeyAge(Duration max) {
    /** How far the clock of a client may be ahead of ours. */
    public static final Duration MAX_CLOCK_SKEW = Duration.ofMinutes(5);

    public KeyAge {
        if (!max.isPositive())
            throw new IllegalArgumentException("The greatest age of a key is not above zero: " + max);
    }

    /** What is wrong with a key at this time: a sentence for the client. Null when nothing is, or no time is known. */
    public @Nullable String check(String key, Instant now) {
        if (tooOld(key, now, max))
            return "This key was made longer ago than " + words(max)
                    + ", and is no longer taken. Whether the operation was"
                    + " done cannot be told from it; find out before you send it under a new key.";
        return fromTheFuture(key, now)
                ? "This key says that it was made more than " + words(MAX_CLOCK_SKEW)
                        + " from now. Check the clock that makes keys."
                : null;
    }

    /** {@code 168h}, {@code 5m}. */
    private static String words(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    public static boolean tooOld(String key, Instant now, Duration max) {
        Instant madeAt = madeAt(key);
        return madeAt != null && Duration.between(madeAt, now).compareTo(max) > 0;
    }

    public static boolean fromTheFuture(String key, Instant now) {
        Instant madeAt = madeAt(key);
        return madeAt != null && Duration.between(now, madeAt).compareTo(MAX_CLOCK_SKEW) > 0;
    }

    /** When a key says it was made, or null. */
    public static @Nullable Instant madeAt(String key) {
        return UuidText.isUuid(key) && UuidText.isVersion(key, '7') ? Instant.ofEpochMilli(UuidText.head(key)) : null;
    }
}
