package dev.semel.gateway;

import dev.semel.http.HeaderRules;
import dev.semel.http.Headers;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;

/** Which headers cross the gateway, either way. */
final class ForwardedHeaders {
    private ForwardedHeaders() {}

    static Headers upstream(HttpServerRequest request, Headers headers) {
        String host = request.authority() == null ? "" : request.authority().toString();
        String peer = request.remoteAddress() == null
                ? "unknown"
                : request.remoteAddress().hostAddress();
        // HTTP/2 has no Host header; the upstream, which is spoken to in HTTP/1.1, needs one.
        Headers named = headers.first("Host") == null && !host.isEmpty() ? headers.with("Host", host) : headers;
        return HeaderRules.forUpstream(named, peer, host, request.isSSL() ? "https" : "http");
    }

    static Headers client(HttpClientResponse answer) {
        return HeaderRules.endToEnd(VertxHeaders.read(answer.headers()));
    }
}
