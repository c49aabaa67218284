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
    private final BodyBudget bodies;

    ProbeClient(Vertx vertx, UpstreamSettings upstream, Duration timeout, long limit, BodyBudget bodies) {
        this.vertx = vertx;
        this.loop = vertx.getOrCreateContext();
        this.target = new UpstreamTarget(
                vertx, upstream.withTimeout(timeout), new AtomicInteger(), url -> (opened, failure) -> {});
        this.limit = limit;
        this.bodies = bodies;
    }

    @Override
    public Exchange<?> send(HttpRequest probe) {
        BodyShare share = new BodyShare(bodies);
        Exchange<StreamingBody> exchange = UpstreamExchange.start(
                        vertx, loop, target, probe, probe.headers(), () -> true, limit, share)
                .await();
        share.release();
        if (!(exchange instanceof Exchange.TooLargeToKeep<StreamingBody> large)) return exchange;
        loop.runOnContext(nothing -> large.body().giveUp());
        return new Exchange.Broken<>("its answer is too large to keep");
    }

    @Override
    public void close() {
        target.finish();
    }
}
