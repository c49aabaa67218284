package dev.semel.gateway;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;

/** A body that is too large to keep: what has come so far, and the paused rest. Used on one event loop only. */
final class StreamingBody {
    private final Buffer soFar;
    private final Buffer next;
    private final HttpClientResponse rest;
    private final Runnable ended;
    private boolean broken;

    /**
     * A body of three parts.
     *
     * @param next the piece behind what has come so far
     * @param ended is told when nothing more will come
     */
    StreamingBody(Buffer soFar, Buffer next, HttpClientResponse rest, Runnable ended) {
        this.soFar = soFar;
        this.next = next;
        this.rest = rest;
        this.ended = ended;
        rest.exceptionHandler(failure -> breakOff());
    }

    private void breakOff() {
        broken = true;
        ended.run();
    }

    /** Nobody wants it: the rest is not read, and its connection not used again. */
    void giveUp() {
        rest.request().reset();
    }

    /** @return when what had come so far has left, and is no longer held */
    Future<Void> passOnTo(HttpServerRequest request) {
        if (request.response().closed()) {
            drain();
        } else if (broken) {
            Responses.abort(request);
        } else {
            Future<Void> left = request.response().write(soFar);
            request.response().write(next);
            rest.pipe()
                    .endOnFailure(false)
                    .to(request.response())
                    .onSuccess(whole -> ended.run())
                    .onFailure(failure -> {
                        Responses.abort(request);
                        drain();
                    });
            return left;
        }
        return Future.succeededFuture();
    }

    /** What nobody wants is read all the same, so that the connection can be used again. */
    private void drain() {
        rest.exceptionHandler(failure -> ended.run());
        rest.handler(bytes -> {}).endHandler(end -> ended.run());
        rest.resume();
    }
}
