package dev.semel.gateway;

import dev.semel.gateway.wire.ClosingConnections;
import dev.semel.gateway.wire.ConnectionClose;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;

/** Writes answers to clients. Called on the event loop of the request. */
final class Responses {
    private static final long NO_ERROR = 0;

    private Responses() {}

    /** A whole answer. A client that is gone changes nothing for anyone else. @return when it has left */
    static Future<Void> end(HttpServerRequest request, HttpResponse answer) {
        return isGone(request) ? Future.succeededFuture() : write(request, answer);
    }

    /** An answer after which the connection is of no more use, for what follows on it cannot be trusted. */
    static void endAndClose(HttpServerRequest request, HttpResponse answer) {
        if (isGone(request)) return;
        if (request.version() == HttpVersion.HTTP_2) {
            // Whatever is still to come of the request is not wanted, and must not hold its stream.
            write(request, answer).onComplete(done -> request.response().reset(NO_ERROR));
        } else {
            ClosingConnections.add(request.connection());
            request.response().putHeader("Connection", "close");
            write(request, answer).onComplete(done -> ConnectionClose.lingering(request.connection()));
        }
    }

    private static boolean isGone(HttpServerRequest request) {
        return request.response().closed() || request.response().ended();
    }

    private static Future<Void> write(HttpServerRequest request, HttpResponse answer) {
        HttpServerResponse response = request.response();
        response.setStatusCode(answer.status());
        VertxHeaders.write(answer.headers(), response.headers());
        boolean head = request.method().name().equals("HEAD");
        if (head || mayHaveBody(request, answer.status()))
            response.putHeader("Content-Length", Integer.toString(answer.body().length));
        return head ? response.end() : response.end(shared(answer.body()));
    }

    /** Not a copy: nobody changes a body. */
    static Buffer shared(byte[] body) {
        return BufferInternal.buffer(Unpooled.wrappedBuffer(body));
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
        if (!request.response().closed()) giveUp(request);
    }

    /** Nothing more is sent, even of what was handed over already. */
    static void giveUp(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) request.response().reset();
        else ConnectionClose.immediate(request.connection());
    }

    private static boolean mayHaveBody(HttpServerRequest request, int status) {
        return status != 204 && status != 304 && !request.method().name().equals("HEAD");
    }
}
