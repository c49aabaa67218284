package dev.semel.gateway;

import dev.semel.gateway.wire.SentBytes;
import dev.semel.http.Exchange;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One request to the upstream and all that comes of it. Everything but {@link #await()} happens on one event loop, so
 * time-out, answer and failure never race: the first of them decides.
 */
final class UpstreamExchange {
    private static final int MAX_ROOM_CHECKS = 40;
    private static final long LOOK_EVERY_MILLIS = 50;

    private final Vertx vertx;
    private final UpstreamTarget target;
    private final HttpRequest asked;
    private final Headers headers;
    private final BooleanSupplier stillHeld;
    private final long limit;
    private final BodyShare share;
    private final CompletableFuture<Exchange<StreamingBody>> fate = new CompletableFuture<>();

    private @Nullable HttpClientRequest request;
    private long sentBefore;
    private long timer = -1;

    private UpstreamExchange(
            Vertx vertx,
            UpstreamTarget target,
            HttpRequest asked,
            Headers headers,
            BooleanSupplier stillHeld,
            long limit,
            BodyShare share) {
        this.vertx = vertx;
        this.target = target;
        this.asked = asked;
        this.headers = headers;
        this.stillHeld = stillHeld;
        this.limit = limit;
        this.share = share;
    }

    /**
     * Starts the exchange on the event loop of this context; the caller's thread goes on.
     *
     * @param stillHeld asked right before the first byte is sent; when it says no, nothing is
     * @param share where there must be room for the answer; one for which there is none is too large to keep
     */
    static UpstreamExchange start(
            Vertx vertx,
            Context loop,
            UpstreamTarget target,
            HttpRequest asked,
            Headers onward,
            BooleanSupplier stillHeld,
            long limit,
            BodyShare share) {
        UpstreamExchange exchange = new UpstreamExchange(vertx, target, asked, onward, stillHeld, limit, share);
        loop.runOnContext(nothing -> exchange.open());
        return exchange;
    }

    /** Blocks until the fate of the exchange is clear. */
    Exchange<StreamingBody> await() {
        try {
            return fate.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Exchange.Broken<>("the gateway was stopped while the upstream worked");
        } catch (ExecutionException e) {
            throw new IllegalStateException("The fate of an exchange is a value.", e);
        }
    }

    private void open() {
        timer = vertx.setTimer(target.timeout().toMillis(), id -> timeOut());
        target.open(asked.method(), asked.target())
                .onComplete(this::send, failure -> end(new Exchange.NotSent<>(because(failure))));
    }

    private void send(HttpClientRequest opened) {
        if (fate.isDone()) {
            // Time ran out while there was no connection: nothing was sent, and nothing must be.
            opened.reset();
            return;
        }
        if (!stillHeld.getAsBoolean()) {
            // This process was held up for longer than its lease: someone else may have the key by now.
            opened.reset();
            end(new Exchange.NotSent<>("the gateway was held up before it could send"));
            return;
        }
        request = opened;
        sentBefore = SentBytes.of(opened.connection()).count();
        try {
            VertxHeaders.write(headers, opened.headers());
        } catch (IllegalArgumentException e) {
            opened.reset();
            end(new Exchange.NotSent<>("a header cannot be sent on"));
            return;
        }
        opened.exceptionHandler(this::fail);
        opened.response().onComplete(this::receive, this::fail);
        opened.end(Responses.shared(asked.body())).onFailure(this::fail);
    }

    private void receive(HttpClientResponse response) {
        if (response.statusCode() < 200 || response.statusCode() > 999) {
            // Another protocol begins here (101), or none that is known: nothing will come that could be recorded.
            end(new Exchange.Broken<>("the upstream answered " + response.statusCode()));
            Objects.requireNonNull(request).reset();
            return;
        }
        response.exceptionHandler(this::fail);
        BodyBytes received =
                BodyBytes.atOnce(announced(response), (more, all) -> share.grow(more, BodyBudget.Purpose.ANSWER));
        response.handler(bytes -> keep(response, received, bytes, MAX_ROOM_CHECKS));
        response.endHandler(end -> end(new Exchange.Answered<>(
                new HttpResponse(response.statusCode(), VertxHeaders.read(response.headers()), received.take()))));
    }

    /** Without room the upstream waits, for a short time: others leave all the time. */
    private void keep(HttpClientResponse response, BodyBytes received, Buffer bytes, int looks) {
        if (fate.isDone()) return;
        if (received.length() + bytes.length() > limit || looks == 0) {
            passOn(response, received, bytes);
        } else if (received.append(bytes)) {
            if (looks < MAX_ROOM_CHECKS) response.resume();
        } else {
            response.pause();
            vertx.setTimer(LOOK_EVERY_MILLIS, id -> keep(response, received, bytes, looks - 1));
        }
    }

    /** As far as it may be kept: the array for it is made before the body has come. */
    private long announced(HttpClientResponse response) {
        String length = response.getHeader("Content-Length");
        if (length == null) return 0;
        try {
            long announced = Long.parseLong(length);
            return announced > limit ? 0 : announced;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Over the limit, or there is no room in memory: either way the client has it, and it is recorded without its body. The
     * time-out goes on, for it is that of the whole exchange.
     */
    private void passOn(HttpClientResponse response, BodyBytes received, Buffer next) {
        response.pause();
        Buffer soFar = Responses.shared(received.take());
        StreamingBody body = new StreamingBody(soFar, next, response, this::stopTimer);
        fate.complete(
                new Exchange.TooLargeToKeep<>(response.statusCode(), VertxHeaders.read(response.headers()), body));
    }

    private void fail(Throwable failure) {
        if (isUnsent()) end(new Exchange.NotSent<>(because(failure)));
        else end(new Exchange.Broken<>(because(failure)));
    }

    private void timeOut() {
        if (request == null) {
            end(new Exchange.NotSent<>("no connection within " + target.timeout()));
        } else {
            end(new Exchange.TimedOut<>("no full answer within " + target.timeout()));
            request.reset();
        }
    }

    private boolean isUnsent() {
        return request == null || SentBytes.of(request.connection()).count() == sentBefore;
    }

    private void end(Exchange<StreamingBody> outcome) {
        stopTimer();
        fate.complete(outcome);
    }

    private void stopTimer() {
        if (timer >= 0) vertx.cancelTimer(timer);
    }

    private static String because(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
