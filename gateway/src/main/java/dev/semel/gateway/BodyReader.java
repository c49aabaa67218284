package dev.semel.gateway;

import dev.semel.gateway.BodyBudget.Purpose;
import dev.semel.http.HttpResponse;
import dev.semel.http.Problem;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Takes the body of a request in whole, up to a limit of size and of time, and as long as there is room for it. A client
 * that breaks off half-way is never heard of again.
 */
final class BodyReader {
    static final HttpResponse MALFORMED = Problem.badRequest("its body is not as its head says");

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final BodyShare share;
    private final long limit;
    private final Duration time;
    private final long announced;
    private final BodyBytes body;
    private long timer = -1;
    private boolean over;

    BodyReader(Vertx vertx, HttpServerRequest request, BodyShare share, long limit, Duration time) {
        this.vertx = vertx;
        this.request = request;
        this.share = share;
        this.limit = Math.min(limit, share.largestRequest());
        this.time = time;
        this.announced = announced();
        this.body = BodyBytes.asItComes(announced, (more, all) -> share.grow(more, Purpose.ofRequest(all)));
    }

    /** Exactly one of the two hears of it, unless the client has gone. The share is still held only when it is whole. */
    void read(Consumer<byte[]> whole, Consumer<HttpResponse> refused) {
        if (announced > limit) {
            refuse(Problem.bodyTooLarge(limit), refused);
            return;
        }
        if (!share.admits(announced)) {
            refuse(Problem.overloaded(), refused);
            return;
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader("Expect")))
            request.response().writeContinue();
        timer = vertx.setTimer(time.toMillis(), late -> refuse(Problem.tooSlow("body"), refused));
        request.handler(bytes -> append(bytes, refused));
        request.exceptionHandler(failure -> refuse(MALFORMED, isMalformed(failure) ? refused : gone -> {}));
        request.endHandler(ended -> {
            if (isFirstEnd()) whole.accept(body.take());
        });
    }

    private void append(Buffer bytes, Consumer<HttpResponse> refused) {
        if (over) return;
        if (body.length() + bytes.length() > limit) refuse(Problem.bodyTooLarge(limit), refused);
        else if (!body.append(bytes)) refuse(Problem.overloaded(), refused);
    }

    private void refuse(HttpResponse why, Consumer<HttpResponse> refused) {
        if (!isFirstEnd()) return;
        body.take();
        share.release();
        refused.accept(why);
    }

    private boolean isFirstEnd() {
        if (over) return false;
        over = true;
        if (timer >= 0) vertx.cancelTimer(timer);
        return true;
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
