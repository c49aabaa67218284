package dev.semel.client;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes in a body up to a limit, and leaves the rest. */
final class LimitedBody implements HttpResponse.BodySubscriber<LimitedBody.Bytes> {
    private final int limit;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final CompletableFuture<Bytes> result = new CompletableFuture<>();
    private volatile Flow.@Nullable Subscription subscription;

    /** @param whole whether there was no more */
    record Bytes(byte[] bytes, boolean whole) {}

    LimitedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<Bytes> getBody() {
        return result;
    }

    CompletableFuture<Bytes> result() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) take(buffer);
    }

    void take(ByteBuffer buffer) {
        if (result.isDone()) return;
        byte[] bytes = new byte[Math.min(buffer.remaining(), limit - taken.size())];
        buffer.get(bytes);
        taken.writeBytes(bytes);
        if (!buffer.hasRemaining()) return;
        result.complete(new Bytes(taken.toByteArray(), false));
        Flow.Subscription open = subscription;
        if (open != null) open.cancel();
    }

    @Override
    public void onError(Throwable failure) {
        result.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        result.complete(new Bytes(taken.toByteArray(), true));
    }

    /** The same for the body of a request. */
    Flow.Subscriber<ByteBuffer> forRequest() {
        LimitedBody body = this;
        return new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                body.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer buffer) {
                body.take(buffer);
            }

            @Override
            public void onError(Throwable failure) {
                body.onError(failure);
            }

            @Override
            public void onComplete() {
                body.onComplete();
            }
        };
    }
}
