package dev.semel.gateway;

import dev.semel.http.Headers;
import dev.semel.http.Problem;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** One request without a key and its answer, streamed between client and upstream on one event loop. */
final class PassThroughExchange {
    private static final long LEAST_PROGRESS = 16 * 1024;

    private final Vertx vertx;
    private final TrackedRequest tracked;
    private final HttpServerRequest request;
    private final HttpClientRequest upstream;
    private final long began;
    private long seen;
    private boolean sent;
    private boolean answered;
    private boolean clientFailed;

    /** @param began when it was first tried to connect */
    PassThroughExchange(Vertx vertx, TrackedRequest tracked, HttpClientRequest upstream, long began) {
        this.vertx = vertx;
        this.tracked = tracked;
        this.request = tracked.request();
        this.upstream = upstream;
        this.began = began;
    }

    void send(Headers onward, Duration timeout, Duration bodyTime) {
        upstream.idleTimeout(timeout.toMillis());
        upstream.response().onComplete(this::receive, this::upstreamBroke);
        request.response().exceptionHandler(this::clientFailed);
        if (!hasBody()) {
            sent = true;
            request.resume();
            upstream.end();
            return;
        }
        if (onward.first("Content-Length") == null) upstream.setChunked(true);
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect")))
            request.response().writeContinue();
        long timer = vertx.setPeriodic(bodyTime.toMillis(), id -> checkProgress(id));
        request.pipe().endOnFailure(false).to(upstream).onComplete(done -> {
            vertx.cancelTimer(timer);
            sent = done.succeeded();
            if (done.failed()) clientFailed(done.cause());
        });
    }

    /** A stream may take as long as it likes, but not do nothing: slow is not the same as large. */
    private void checkProgress(long timer) {
        long sinceLast = request.bytesRead() - seen;
        seen = request.bytesRead();
        if (sinceLast >= LEAST_PROGRESS) return;
        vertx.cancelTimer(timer);
        tooSlow();
    }

    private boolean hasBody() {
        return request.headers().contains("Content-Length")
                || request.headers().contains("Transfer-Encoding")
                || (request.version() == HttpVersion.HTTP_2
                        && !isBodiless(request.method().name()));
    }

    /** Without a length, HTTP/2 does not say at the head whether a body follows. To these there is none worth sending. */
    private static boolean isBodiless(String method) {
        return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
    }

    private void receive(HttpClientResponse answer) {
        if (answer.statusCode() < 200) {
            // Another protocol begins here, which nobody has asked for.
            upstreamBroke(new IOException("the upstream answered " + answer.statusCode()));
            upstream.reset();
            return;
        }
        answer.end().onComplete(ended -> answered = true);
        tracked.route().upstreamAnswered(answer.statusCode(), System.nanoTime() - began);
        tracked.passed(answer.statusCode());
        if (request.response().closed()) {
            answer.resume();
            return;
        }
        Responses.head(request, answer.statusCode(), ForwardedHeaders.client(answer));
        answer.pipe().endOnFailure(false).to(request.response()).onFailure(failure -> Responses.abort(request));
    }

    /** The answer first: what becomes of the upstream's side would be answered as the upstream's failure. */
    private void tooSlow() {
        clientFailed = true;
        if (request.response().headWritten()) Responses.abort(request);
        else tracked.endAndClose(Problem.tooSlow("body"));
        breakOff();
    }

    private void clientFailed(Throwable cause) {
        clientFailed = true;
        if (BodyReader.isMalformed(cause) && !request.response().headWritten())
            tracked.endAndClose(BodyReader.MALFORMED);
        breakOff();
    }

    /** An exchange that is over has given its connection back: to reset it now would break another's request. */
    private void breakOff() {
        if (!(sent && answered)) upstream.reset();
    }

    private void upstreamBroke(Throwable failure) {
        if (clientFailed || request.response().closed() || request.response().ended()) return;
        // Nothing moved for too long, and it was not the upstream's turn.
        if (!sent && failure instanceof TimeoutException) {
            tooSlow();
            return;
        }
        if (request.response().headWritten()) {
            Responses.abort(request);
            return;
        }
        boolean late = failure instanceof TimeoutException;
        tracked.route().upstreamFailed(late, System.nanoTime() - began);
        tracked.endAndClose(late ? Problem.upstreamTooSlow() : Problem.upstreamBroke());
    }
}
