package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.Problem;
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

    void forward(HttpServerRequest request, Headers onward, Duration bodyTime) {
        request.pause();
        target.open(request.method().name(), RequestChecks.target(request))
                .onComplete(
                        upstream -> {
                            if (request.response().closed()) upstream.reset();
                            else send(request, onward, bodyTime, upstream);
                        },
                        failure -> Responses.endAndClose(request, Problem.upstreamUnreachable()));
    }

    private void send(HttpServerRequest request, Headers onward, Duration bodyTime, HttpClientRequest upstream) {
        try {
            VertxHeaders.write(onward, upstream.headers());
        } catch (IllegalArgumentException e) {
            upstream.reset();
            Responses.endAndClose(request, Problem.badRequest("a header cannot be sent on"));
            return;
        }
        new Passage(vertx, request, upstream).send(onward, target.timeout(), bodyTime);
    }
}
