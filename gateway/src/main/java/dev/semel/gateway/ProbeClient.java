package dev.semel.gateway;

import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.Exchange;
import dev.semel.http.HttpRequest;
import dev.semel.http.UpstreamProbe;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks one upstream about doubts, on an event loop and over connections of its own. For use by any thread. */
final class ProbeClient implements UpstreamProbe.Sender, AutoCloseable {
    private final Vertx vertx;
    private final Context loop;
    private final UpstreamTarget target;
    private final long limit;

    ProbeClient(Vertx vertx, UpstreamSettings upstream, Duration timeout, long limit) {
        this.vertx = vertx;
        this.loop = vertx.getOrCreateContext();
        this.target = new UpstreamTarget(vertx, upstream.withTimeout(timeout), new AtomicInteger());
        this.limit = limit;
    }

    @Override
    public Exchange<?> send(HttpRequest probe) {
        Exchange<LiveBody> exchange = UpstreamExchange.start(
                        vertx, loop, target, probe, probe.headers(), () -> true, limit)
                .await();
        if (!(exchange instanceof Exchange.TooLargeToKeep<LiveBody> large)) return exchange;
        loop.runOnContext(nothing -> large.body().giveUp());
        return new Exchange.Broken<>("its answer is too large to keep");
    }

    @Override
    public void close() {
        target.close();
    }
}
