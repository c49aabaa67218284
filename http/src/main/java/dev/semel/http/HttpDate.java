package dev.semel.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Instants as HTTP writes them (RFC 9110 §5.6.7), to the second. */
public final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Most answers of a moment expire in the same second, and to write one costs more than to look it up. */
    private record CachedText(long second, String text) {}

    private static volatile CachedText last = new CachedText(Long.MIN_VALUE, "");

    private HttpDate() {}

    public static String format(Instant instant) {
        CachedText cached = last;
        if (cached.second != instant.getEpochSecond()) {
            cached = new CachedText(instant.getEpochSecond(), FORMAT.format(instant));
            last = cached;
        }
        return cached.text;
    }
}
