package dev.semel.gateway;

import io.vertx.core.Completable;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClientRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether one address of an upstream can be connected to, by the requests that try. Said in the log once when it is lost
 * and once when it is back, however many requests find it so: back means that none has failed to connect for a second.
 * For use by all event loops.
 */
final class UpstreamReachability implements Completable<HttpClientRequest> {
    private static final Logger LOG = LoggerFactory.getLogger("semel.upstream");
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String address;
    private final LongSupplier nanoTime;
    private final AtomicBoolean lost = new AtomicBoolean();
    private volatile long lostAt;
    private volatile long lastFailure;

    /** @param address without anything secret */
    UpstreamReachability(String address, LongSupplier nanoTime) {
        this.address = address;
        this.nanoTime = nanoTime;
    }

    boolean isReachable() {
        return !lost.get();
    }

    /** Of an attempt to get a connection. */
    @Override
    public void complete(@Nullable HttpClientRequest opened, @Nullable Throwable failure) {
        if (failure == null) reached();
        // All its connections are in use: that is busy, not lost.
        else if (!(failure instanceof ConnectionPoolTooBusyException)) missed(failure);
    }

    private void reached() {
        if (!lost.get() || nanoTime.getAsLong() - lastFailure < STEADY_NANOS || !lost.compareAndSet(true, false))
            return;
        LOG.atInfo()
                .addKeyValue("upstream", address)
                .addKeyValue("seconds", TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - lostAt))
                .log("The upstream is back.");
    }

    private void missed(Throwable failure) {
        lastFailure = nanoTime.getAsLong();
        if (!lost.compareAndSet(false, true)) return;
        lostAt = lastFailure;
        LOG.atWarn()
                .addKeyValue("upstream", address)
                .addKeyValue("reason", LogText.safe(failure.getMessage()))
                .log("The upstream is lost: no connection can be made. Nothing is sent, and keys stay free.");
    }
}
