package dev.semel.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;

/** A body that is too large to keep: what has come so far, and the paused rest. */
record LiveBody(Buffer soFar, HttpClientResponse rest) {

    void passOnTo(HttpServerRequest request) {
        if (request.response().closed()) {
            rest.resume();
            return;
        }
        request.response().write(soFar);
        rest.pipeTo(request.response()).onFailure(failure -> Responses.abort(request));
    }
}
