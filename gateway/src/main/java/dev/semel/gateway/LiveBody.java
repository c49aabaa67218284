package dev.semel.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;

/** A body that is too large to keep: what has come so far, and the paused rest. Used on one event loop only. */
final class LiveBody {
    private final Buffer soFar;
    private final HttpClientResponse rest;
    private boolean broken;

    LiveBody(Buffer soFar, HttpClientResponse rest) {
        this.soFar = soFar;
        this.rest = rest;
        rest.exceptionHandler(failure -> broken = true);
    }

    /** Nobody wants it: the rest is not read, and its connection not used again. */
    void giveUp() {
        rest.request().reset();
    }

    void passOnTo(HttpServerRequest request) {
        if (request.response().closed()) {
            rest.handler(bytes -> {}).endHandler(end -> {});
            rest.resume();
        } else if (broken) {
            Responses.abort(request);
        } else {
            request.response().write(soFar);
            rest.pipe().endOnFailure(false).to(request.response()).onFailure(failure -> Responses.abort(request));
        }
    }
}
