package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/** Writes answers to clients. Called on the event loop of the request. */
final class Responses {
    private Responses() {}

    /** A whole answer. A client that is gone changes nothing for anyone else. */
    static void end(HttpServerRequest request, HttpResponse answer) {
        HttpServerResponse response = request.response();
        if (response.closed() || response.ended()) return;
        response.setStatusCode(answer.status());
        VertxHeaders.write(answer.headers(), response.headers());
        if (mayHaveBody(request, answer.status()))
            response.putHeader("Content-Length", Integer.toString(answer.body().length));
        response.end(Buffer.buffer(answer.body()));
    }

    /** An answer after which the connection is of no more use, for what follows on it cannot be trusted. */
    static void endAndClose(HttpServerRequest request, HttpResponse answer) {
        if (request.response().closed()) return;
        if (request.version() != HttpVersion.HTTP_2) request.response().putHeader("Connection", "close");
        end(request, answer);
    }

    /** The head of an answer whose body is passed on as it comes. */
    static void head(HttpServerRequest request, int status, Headers headers) {
        HttpServerResponse response = request.response();
        response.setStatusCode(status);
        VertxHeaders.write(headers, response.headers());
        boolean chunked = headers.first("Content-Length") == null
                && mayHaveBody(request, status)
                && request.version() != HttpVersion.HTTP_2;
        if (chunked) response.setChunked(true);
    }

    /** An answer that broke off half-way must not look complete. */
    static void abort(HttpServerRequest request) {
        if (!request.response().closed()) request.response().reset();
    }

    private static boolean mayHaveBody(HttpServerRequest request, int status) {
        return status != 204 && status != 304 && !request.method().name().equals("HEAD");
    }
}
