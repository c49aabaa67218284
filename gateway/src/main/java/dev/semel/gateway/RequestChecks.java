package dev.semel.gateway;

import dev.semel.http.PathText;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a strict server refuses and the parser lets through. */
final class RequestChecks {
    private RequestChecks() {}

    /** What is wrong with the request, in words for its sender; null when nothing is. */
    static @Nullable String flawOf(HttpServerRequest request) {
        if (request.version() != HttpVersion.HTTP_2) {
            List<String> hosts = request.headers().getAll("Host");
            if (hosts.size() > 1) return "there is more than one Host header";
            if (hosts.isEmpty() && request.version() == HttpVersion.HTTP_1_1) return "there is no Host header";
        }
        String uri = request.uri();
        if (!uri.startsWith("/")) return "the request target must start with a slash";
        for (int i = 0; i < uri.length(); i++)
            if (uri.charAt(i) <= ' ' || uri.charAt(i) >= 0x7f)
                return "the request target holds a byte that must be percent-encoded";
        if (PathText.isAmbiguous(request.path())) return "servers could read its path in more than one way";
        return null;
    }
}
