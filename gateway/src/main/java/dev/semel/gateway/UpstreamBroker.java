package dev.semel.gateway;

import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.Exchange;
import dev.semel.http.HttpRequest;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.OneInFlight;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Posts messages to the upstream, of each key one at a time. What became of one is told by the status of the answer; whether a
 * failure is the message's or the upstream's own, by whether others succeed meanwhile. Safe for use by any thread.
 */
final class UpstreamBroker implements Broker {
    /** Answers are not looked at, but for their status. */
    private static final long LARGEST_ANSWER = 16 * 1024;

    /** For so long after it took something the upstream is believed to work. */
    private static final Duration WORKING = Duration.ofMinutes(1);

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final Duration LONGEST_START = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Context loop;
    private final Duration timeout;
    private final BodyBudget bodies;
    private final Function<OutgoingMessage, @Nullable HttpRequest> requests;
    private volatile UpstreamSettings upstream;
    private volatile UpstreamTarget target;
    private volatile @Nullable Long lastSuccess;

    /** @param requests makes the request that delivers a message; null when that is not known */
    UpstreamBroker(
            Vertx vertx,
            UpstreamSettings upstream,
            BodyBudget bodies,
            Function<OutgoingMessage, @Nullable HttpRequest> requests) {
        this.vertx = vertx;
        this.loop = vertx.getOrCreateContext();
        this.timeout = shorter(upstream.timeout(), LONGEST_TIMEOUT);
        this.bodies = bodies;
        this.requests = requests;
        this.upstream = upstream;
        this.target = target(upstream);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private UpstreamTarget target(UpstreamSettings upstream) {
        return new UpstreamTarget(
                vertx, upstream.withTimeout(shorter(upstream.timeout(), timeout)), new AtomicInteger(), url ->
                        (opened, failure) -> {});
    }

    /** From now on it posts to this one. A time-out that is longer than the one it began with does not count. */
    synchronized void deliverTo(UpstreamSettings next) {
        if (next.equals(upstream)) return;
        UpstreamTarget before = target;
        target = target(next);
        upstream = next;
        before.finish();
    }

    @Override
    public Publisher open(ShardLease lease) {
        return new Publisher() {
            @Override
            public List<Delivery> publish(List<OutgoingMessage> messages) throws InterruptedException {
                long until = System.nanoTime() + startTime().toNanos();
                return OneInFlight.publish(messages, wave -> send(wave, until));
            }

            @Override
            public void close() {}
        };
    }

    /** For how long new requests are begun. */
    private Duration startTime() {
        return shorter(timeout, LONGEST_START);
    }

    @Override
    public Duration longestPublish() {
        return startTime().plus(timeout).plus(MARGIN);
    }

    private List<Delivery> send(List<OutgoingMessage> messages, long until) {
        if (System.nanoTime() - until >= 0)
            return messages.stream()
                    .<Delivery>map(it -> new Delivery.Retry("there was no time left for it", Delivery.Cause.ORDER))
                    .toList();
        List<@Nullable Sending> wave = new ArrayList<>();
        for (OutgoingMessage message : messages) wave.add(begin(message));
        List<Integer> statuses = new ArrayList<>();
        List<@Nullable Exchange<StreamingBody>> ends = new ArrayList<>();
        for (Sending each : wave) ends.add(each == null ? null : each.end(loop));
        // All of them first: one that succeeds tells about those that do not.
        for (Exchange<StreamingBody> end : ends) {
            int status = end == null ? 0 : status(end);
            if (isSuccess(status)) lastSuccess = System.nanoTime();
            statuses.add(status);
        }
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < ends.size(); i++) deliveries.add(delivery(ends.get(i), statuses.get(i)));
        return deliveries;
    }

    private record Sending(UpstreamExchange exchange, BodyShare share) {
        Exchange<StreamingBody> end(Context loop) {
            Exchange<StreamingBody> end = exchange.await();
            share.release();
            if (end instanceof Exchange.TooLargeToKeep<StreamingBody> large)
                loop.runOnContext(nothing -> large.body().giveUp());
            return end;
        }
    }

    private @Nullable Sending begin(OutgoingMessage message) {
        HttpRequest request = requests.apply(message);
        if (request == null) return null;
        BodyShare share = new BodyShare(bodies);
        return new Sending(
                UpstreamExchange.start(
                        vertx, loop, target, request, request.headers(), () -> true, LARGEST_ANSWER, share),
                share);
    }

    /** Zero when there was no answer. */
    private static int status(Exchange<StreamingBody> end) {
        return switch (end) {
            case Exchange.Answered<StreamingBody> it -> it.response().status();
            case Exchange.TooLargeToKeep<StreamingBody> it -> it.status();
            case Exchange.NotSent<StreamingBody> it -> 0;
            case Exchange.Broken<StreamingBody> it -> 0;
            case Exchange.TimedOut<StreamingBody> it -> 0;
        };
    }

    private static boolean isSuccess(int status) {
        return status >= 200 && status < 300;
    }

    /** The upstream did not want to, or could not: perhaps later. */
    private static boolean isTransient(int status) {
        return status >= 500 || status == 408 || status == 425 || status == 429;
    }

    private Delivery delivery(@Nullable Exchange<StreamingBody> end, int status) {
        if (end == null) return new Delivery.Dead("no-path", "it does not say where to deliver it");
        // V3: delivered, and not deleted.
        if (isSuccess(status)) return new Delivery.Sent();
        if (end instanceof Exchange.NotSent<StreamingBody>(String why))
            return new Delivery.Retry(why, Delivery.Cause.BROKER);
        String reason = switch (end) {
            case Exchange.Broken<StreamingBody>(String why) -> why;
            case Exchange.TimedOut<StreamingBody>(String why) -> why;
            default -> "the upstream answered " + status;
        };
        boolean isItsOwn = (status != 0 && !isTransient(status)) || isWorking();
        return new Delivery.Retry(reason, isItsOwn ? Delivery.Cause.MESSAGE : Delivery.Cause.BROKER);
    }

    /** Whether it took something lately. If not, no message is to blame for its failures, and none becomes a dead letter. */
    private boolean isWorking() {
        Long last = lastSuccess;
        return last != null && System.nanoTime() - last < WORKING.toNanos();
    }

    @Override
    public String name() {
        return "upstream " + upstream.urls();
    }

    @Override
    public void close() {
        target.finish();
    }
}
