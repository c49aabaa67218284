package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.Problem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/** Traffic without a key: streams both ways on the event loop, and stores nothing. */
final class PassThrough {
    private final Vertx vertx;
    private final UpstreamTarget target;

    PassThrough(Vertx vertx, UpstreamTarget target) {
        this.vertx = vertx;
        this.target = target;
    }

    /** @return completes when no connection has to be found any more */
    Future<?> forward(TrackedRequest tracked, Headers onward, Duration bodyTime) {
        HttpServerRequest request = tracked.request();
        request.pause();
        long began = System.nanoTime();
        return target.open(request.method().name(), RequestChecks.target(request))
                .onComplete(
                        upstream -> {
                            if (request.response().closed()) upstream.reset();
                            else send(tracked, onward, bodyTime, upstream, began);
                        },
                        failure -> {
                            tracked.route().upstreamNotReached(System.nanoTime() - began);
                            tracked.endAndClose(Problem.upstreamUnreachable());
                        });
    }

    private void send(
            TrackedRequest tracked, Headers onward, Duration bodyTime, HttpClientRequest upstream, long began) {
        try {
            VertxHeaders.write(onward, upstream.headers());
        } catch (IllegalArgumentException e) {
            upstream.reset();
            tracked.endAndClose(Problem.badRequest("a header cannot be sent on"));
            return;
        }
        new PassThroughExchange(vertx, tracked, upstream, began).send(onward, target.timeout(), bodyTime);
    }
}
