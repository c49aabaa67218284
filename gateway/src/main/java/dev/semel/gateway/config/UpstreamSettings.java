package dev.semel.gateway.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where requests go.
 *
 * @param urls used in turn
 * @param timeout from the first byte sent to the last byte of the answer
 * @param trust certificates to trust for https, in PEM; null for the platform's
 */
public record UpstreamSettings(
        List<URI> urls,
        Duration connectTimeout,
        Duration timeout,
        @Nullable Path trust,
        boolean verifyHost) {
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    public static UpstreamSettings of(URI url) {
        return new UpstreamSettings(List.of(url), DEFAULT_CONNECT_TIMEOUT, DEFAULT_TIMEOUT, null, true);
    }
}
