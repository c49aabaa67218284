package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.Problem;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/** Traffic without a key: streams both ways on the event loop, and stores nothing. */
final class PassThrough {
    private final UpstreamTarget target;

    PassThrough(UpstreamTarget target) {
        this.target = target;
    }

    void forward(HttpServerRequest request, Headers onward) {
        request.pause();
        target.open(request.method().name(), request.uri())
                .onComplete(
                        upstream -> send(request, onward, upstream),
                        failure -> Responses.endAndClose(request, Problem.upstreamUnreachable()));
    }

    private void send(HttpServerRequest request, Headers onward, HttpClientRequest upstream) {
        if (request.response().closed()) {
            upstream.reset();
            return;
        }
        VertxHeaders.write(onward, upstream.headers());
        upstream.idleTimeout(target.timeout().toMillis());
        upstream.response().onComplete(answer -> receive(request, answer), failure -> broken(request));
        request.response().exceptionHandler(gone -> upstream.reset());
        if (hasBody(request)) {
            if (onward.first("Content-Length") == null) upstream.setChunked(true);
            if ("100-continue".equalsIgnoreCase(request.getHeader("Expect")))
                request.response().writeContinue();
            request.pipe().endOnFailure(false).to(upstream).onFailure(failure -> upstream.reset());
        } else {
            request.resume();
            upstream.end();
        }
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
        if (request.response().closed()) return;
        if (request.response().headWritten()) Responses.abort(request);
        else Responses.endAndClose(request, Problem.upstreamBroke());
    }
}
