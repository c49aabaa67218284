package dev.semel.gateway.config;

import java.net.URI;
import java.net.URISyntaxException;
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

    /** @throws IllegalArgumentException when the text is not the address of an HTTP server */
    public static URI url(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is not a URL: " + e.getReason(), e);
        }
        boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!http || url.getHost() == null)
            throw new IllegalArgumentException("'" + text + "' is not a URL such as http://127.0.0.1:9000");
        if (url.getRawQuery() != null || url.getRawFragment() != null || url.getRawUserInfo() != null)
            throw new IllegalArgumentException("'" + text + "' must be scheme, host, port and path only");
        return url;
    }

    public UpstreamSettings withUrl(URI url) {
        return new UpstreamSettings(List.of(url), connectTimeout, timeout, trust, verifyHost);
    }

    public UpstreamSettings withTimeout(Duration timeout) {
        return new UpstreamSettings(urls, connectTimeout, timeout, trust, verifyHost);
    }

    public static UpstreamSettings of(URI url) {
        return new UpstreamSettings(List.of(url), DEFAULT_CONNECT_TIMEOUT, DEFAULT_TIMEOUT, null, true);
    }
}
