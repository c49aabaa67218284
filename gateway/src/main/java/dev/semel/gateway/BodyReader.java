package dev.semel.gateway;

import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes the body of a request in whole, up to a limit of size and of time. A client that breaks off half-way is never
 * heard of again.
 */
final class BodyReader {
    static final HttpResponse MALFORMED = Problem.badRequest("its body is not as its head says");

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final long limit;
    private final Duration time;
    private final Buffer body = Buffer.buffer();
    private long timer = -1;
    private boolean over;

    BodyReader(Vertx vertx, HttpServerRequest request, long limit, Duration time) {
        this.vertx = vertx;
        this.request = request;
        this.limit = limit;
        this.time = time;
    }

    /** Exactly one of the two hears of it, unless the client has gone. */
    void read(Consumer<Buffer> whole, Consumer<HttpResponse> refused) {
        if (announced() > limit) {
            end(() -> refused.accept(Problem.bodyTooLarge(limit)));
            return;
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect")))
            request.response().writeContinue();
        timer = vertx.setTimer(time.toMillis(), late -> end(() -> refused.accept(Problem.tooSlow("body"))));
        request.handler(bytes -> append(bytes, refused));
        request.exceptionHandler(failure -> end(() -> {
            if (isMalformed(failure)) refused.accept(MALFORMED);
        }));
        request.endHandler(ended -> end(() -> whole.accept(body)));
    }

    private void append(Buffer bytes, Consumer<HttpResponse> refused) {
        if (over) return;
        if (body.length() + bytes.length() <= limit) body.appendBuffer(bytes);
        else end(() -> refused.accept(Problem.bodyTooLarge(limit)));
    }

    private void end(Runnable then) {
        if (over) return;
        over = true;
        if (timer >= 0) vertx.cancelTimer(timer);
        then.run();
    }

    /** Whether the parser has refused what came; otherwise the client has gone. */
    static boolean isMalformed(Throwable failure) {
        return failure instanceof DecoderException || failure instanceof IllegalArgumentException;
    }

    private long announced() {
        String length = request.getHeader("Content-Length");
        if (length == null) return 0;
        try {
            return Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
