package dev.semel.gateway;

import dev.semel.gateway.metrics.WebhookMeters;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.relay.RelayEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log and in metrics how the delivery of webhooks is doing: never a key, a header or a body. */
final class WebhookWatch implements RelayEvent.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("semel.webhooks");
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
    private static final long BETWEEN_WORDS = Duration.ofSeconds(10).toNanos();

    private final Outbox outbox;
    private final WebhookMeters meters;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong nextWord = new AtomicLong(System.nanoTime());

    private WebhookWatch(Outbox outbox, WebhookMeters meters) {
        this.outbox = outbox;
        this.meters = meters;
    }

    static WebhookWatch start(Outbox outbox, WebhookMeters meters) {
        WebhookWatch watch = new WebhookWatch(outbox, meters);
        Thread.ofVirtual().name("webhook-watch").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            do look();
            while (!closed.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            meters.saw(outbox.status());
        } catch (SQLException e) {
            // The relay tells of a database that is away.
        }
    }

    @Override
    public void on(RelayEvent event) {
        meters.on(event);
        switch (event) {
            case RelayEvent.Parked it ->
                LOG.warn(
                        "The upstream does not take webhook {} of {} ({}): {}. It is a dead letter now; see 'semel"
                                + " dead-letters show {} --webhooks'.",
                        it.message(),
                        it.topic(),
                        it.kind(),
                        LogText.safe(it.error()),
                        it.message());
            case RelayEvent.Trailing it ->
                LOG.info("{} webhooks wait behind dead letters of their keys.", it.messages());
            case RelayEvent.Retried it ->
                now("A webhook of " + it.topic() + " was not taken and is tried again: " + LogText.safe(it.reason()));
            case RelayEvent.BrokerAway it ->
                now("The upstream takes no webhooks; they wait in the database: " + LogText.safe(it.reason()));
            case RelayEvent.DatabaseAway it ->
                now("The database does not answer; webhooks wait for it: " + LogText.safe(it.reason()));
            case RelayEvent.Failed it ->
                LOG.error("A defect kept webhooks from being delivered; it goes on: {}", it.what(), it.failure());
            case RelayEvent.Sent it -> {}
            case RelayEvent.LeaseTaken it -> {}
            case RelayEvent.LeaseGivenBack it -> {}
            case RelayEvent.LeaseLost it -> {}
        }
    }

    /** What repeats is said every ten seconds at most. */
    private void now(String what) {
        long due = nextWord.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextWord.compareAndSet(due, now + BETWEEN_WORDS)) LOG.warn("{}", what);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
