package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
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
        target.open(request.method().name(), request.uri())
                .onComplete(
                        upstream -> send(request, onward, upstream, bodyTime),
                        failure -> Responses.endAndClose(request, Problem.upstreamUnreachable()));
    }

    private void send(HttpServerRequest request, Headers onward, HttpClientRequest upstream, Duration bodyTime) {
        if (request.response().closed()) {
            UpstreamTarget.discard(upstream);
            return;
        }
        VertxHeaders.write(onward, upstream.headers());
        upstream.idleTimeout(target.timeout().toMillis());
        upstream.response().onComplete(answer -> receive(request, answer), failure -> broken(request));
        request.response().exceptionHandler(failure -> breakOff(request, upstream, failure));
        if (hasBody(request)) {
            if (onward.first("Content-Length") == null) upstream.setChunked(true);
            if ("100-continue".equalsIgnoreCase(request.getHeader("Expect")))
                request.response().writeContinue();
            long timer = vertx.setTimer(bodyTime.toMillis(), late -> tooSlow(request, upstream));
            request.pipe().endOnFailure(false).to(upstream).onComplete(done -> {
                vertx.cancelTimer(timer);
                if (done.failed()) breakOff(request, upstream, done.cause());
            });
        } else {
            request.resume();
            upstream.end();
        }
    }

    private static void breakOff(HttpServerRequest request, HttpClientRequest upstream, Throwable cause) {
        if (BodyReader.isMalformed(cause) && !request.response().headWritten())
            Responses.endAndClose(request, BodyReader.MALFORMED);
        upstream.reset();
    }

    /** The answer first: the upstream's failure would be answered as its own. */
    private static void tooSlow(HttpServerRequest request, HttpClientRequest upstream) {
        if (request.response().headWritten()) Responses.abort(request);
        else Responses.endAndClose(request, Problem.tooSlow("body"));
        upstream.reset();
    }

    private static boolean hasBody(HttpServerRequest request) {
        return request.headers().contains("Content-Length")
                || request.headers().contains("Transfer-Encoding")
                || (request.version() == HttpVersion.HTTP_2 && !request.isEnded());
    }

    private void receive(HttpServerRequest request, HttpClientResponse answer) {
        if (request.response().closed()) {
            answer.resume();
            return;
        }
        Responses.head(request, answer.statusCode(), ForwardedHeaders.client(answer));
        answer.pipe().endOnFailure(false).to(request.response()).onFailure(failure -> Responses.abort(request));
    }

    private static void broken(HttpServerRequest request) {
        if (request.response().closed() || request.response().ended()) return;
        if (request.response().headWritten()) Responses.abort(request);
        else Responses.endAndClose(request, Problem.upstreamBroke());
    }
}
