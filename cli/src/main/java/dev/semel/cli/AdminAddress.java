package dev.semel.cli;

import dev.semel.gateway.config.HostPort;
import java.net.URI;

/**
 * Where the admin listener of a gateway is: {@code HOST:PORT}, or a URL. The same text, such as that of {@code
 * SEMEL_ADMIN}, tells {@code serve} where to listen and {@code keys} where to connect.
 */
final class AdminAddress {
    private static final String HTTP = "http://";

    private AdminAddress() {}

    /** @throws IllegalArgumentException when nothing can listen there */
    static HostPort listener(String text) {
        if (text.startsWith("https://"))
            throw new IllegalArgumentException(
                    "'" + text + "' is an address with TLS, and the admin listener has none. Give 'semel serve'"
                            + " HOST:PORT, and the https URL of what stands in front of it to 'semel keys'.");
        return HostPort.parse(text.startsWith(HTTP) ? withoutSlash(text.substring(HTTP.length())) : text);
    }

    /** @throws UsageProblem when nothing can be reached there */
    static URI url(String text) {
        try {
            URI url = URI.create(reachable(text.contains("://") ? withoutSlash(text) : HTTP + HostPort.parse(text)));
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (http && url.getHost() != null && url.getRawPath().isEmpty() && url.getRawQuery() == null) return url;
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw new UsageProblem(
                "'" + text + "' is not the address of a gateway, such as 127.0.0.1:8081 or https://admin.example.");
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** Whoever listens on all addresses is reached on that of this machine. */
    private static String reachable(String url) {
        return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
    }
}
