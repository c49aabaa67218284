package dev.semel.gateway;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a strict server refuses and the parser lets through. */
final class RequestChecks {
    /** A name, an IPv4 or a bracketed IPv6 address, perhaps with a port (RFC 9110 §7.2). */
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\\[[0-9A-Fa-f:.v]+])(?::[0-9]{0,5})?");

    /** A target with scheme and host, as it is sent to proxies, and must be taken by every server (RFC 9112 §3.2.2). */
    private static final Pattern ABSOLUTE = Pattern.compile("(?i:https?)://([^/?#@]+)(?=/)");

    private RequestChecks() {}

    /** The target without scheme and host, of a request without a flaw. */
    static String target(HttpServerRequest request) {
        String uri = request.uri();
        return uri.startsWith("/") ? uri : uri.substring(uri.indexOf('/', uri.indexOf("://") + 3));
    }

    /** What is wrong with the request, in words for its sender; null when nothing is. */
    static @Nullable String flawOf(HttpServerRequest request) {
        // A tunnel has no end that could be seen, and none is opened here.
        if (request.method().equals(HttpMethod.CONNECT)) return "CONNECT is for forward proxies";
        String flaw = request.version() == HttpVersion.HTTP_2 ? http2FlawOf(request) : http1FlawOf(request);
        if (flaw == null) flaw = valueFlawOf(request.headers());
        return flaw == null ? targetFlawOf(request.uri(), request.getHeader("Host")) : flaw;
    }

    private static @Nullable String http1FlawOf(HttpServerRequest request) {
        MultiMap headers = request.headers();
        List<String> hosts = headers.getAll("Host");
        if (hosts.size() > 1) return "there is more than one Host header";
        if (hosts.isEmpty() && request.version() == HttpVersion.HTTP_1_1) return "there is no Host header";
        if (!hosts.isEmpty() && !HOST.matcher(hosts.getFirst()).matches()) return "the Host header names no host";
        List<String> codings = headers.getAll("Transfer-Encoding");
        if (!codings.isEmpty() && !(codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked")))
            return "the only transfer coding taken here is chunked, once";
        for (Map.Entry<String, String> header : headers) if (header.getKey().isEmpty()) return "a header has no name";
        return null;
    }

    /** The authority stands for the Host that the upstream, which is spoken to in HTTP/1.1, will see. */
    private static @Nullable String http2FlawOf(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll("Host");
        HostAndPort authority = request.authority(true);
        if (hosts.size() > 1) return "there is more than one Host header";
        if (hosts.isEmpty()) return authority == null ? "it names no host" : null;
        if (!HOST.matcher(hosts.getFirst()).matches()) return "the Host header names no host";
        return authority == null || hosts.getFirst().equalsIgnoreCase(authority.toString())
                ? null
                : "its authority and its Host header name different hosts";
    }

    /** In HTTP/2 a value can hold any byte; in front of an HTTP/1.1 upstream some of them would end it. */
    private static @Nullable String valueFlawOf(MultiMap headers) {
        for (Map.Entry<String, String> header : headers) {
            String value = header.getValue();
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if ((c < ' ' && c != '\t') || c == 0x7f) return "a header holds a control character";
            }
        }
        return null;
    }

    private static @Nullable String targetFlawOf(String uri, @Nullable String host) {
        if (!uri.startsWith("/")) {
            Matcher absolute = ABSOLUTE.matcher(uri);
            if (!absolute.lookingAt()) return "the request target must start with a slash";
            if (!absolute.group(1).equalsIgnoreCase(host)) return "its target and its Host header name different hosts";
        }
        for (int i = 0; i < uri.length(); i++)
            if (uri.charAt(i) <= ' ' || uri.charAt(i) >= 0x7f)
                return "the request target holds a byte that must be percent-encoded";
        if (uri.indexOf('#') >= 0) return "a request target has no fragment";
        return null;
    }
}
