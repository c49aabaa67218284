package dev.semel.gateway;

import dev.semel.gateway.wire.Condemned;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;

/** Writes answers to clients. Called on the event loop of the request. */
final class Responses {
    private static final Duration TIME_TO_READ = Duration.ofMillis(500);

    private Responses() {}

    /** A whole answer. A client that is gone changes nothing for anyone else. */
    static void end(HttpServerRequest request, HttpResponse answer) {
        if (isGone(request)) return;
        write(request, answer);
    }

    /**
     * An answer after which the connection is of no more use, for what follows on it cannot be trusted. Closed a little
     * later, so that a client that still sends gets to read the answer before its connection breaks.
     */
    static void endAndClose(HttpServerRequest request, HttpResponse answer) {
        if (isGone(request)) return;
        if (request.version() == HttpVersion.HTTP_2) {
            write(request, answer);
        } else {
            Condemned.mark(request.connection());
            request.response().putHeader("Connection", "close");
            write(request, answer).onComplete(done -> request.connection().shutdown(TIME_TO_READ));
        }
    }

    private static boolean isGone(HttpServerRequest request) {
        return request.response().closed() || request.response().ended();
    }

    private static Future<Void> write(HttpServerRequest request, HttpResponse answer) {
        HttpServerResponse response = request.response();
        response.setStatusCode(answer.status());
        VertxHeaders.write(answer.headers(), response.headers());
        if (mayHaveBody(request, answer.status()))
            response.putHeader("Content-Length", Integer.toString(answer.body().length));
        return response.end(Buffer.buffer(answer.body()));
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
