package dev.semel.spring.messaging;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.tables.OutboxStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks now and then how the outbox is doing, so that nobody who asks for health or meters asks the database each time. */
final class OutboxWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(OutboxWatch.class.getName());
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private final Outbox outbox;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable OutboxStatus last;
    private volatile @Nullable String failure;
    private @Nullable String blocker;

    private OutboxWatch(Outbox outbox) {
        this.outbox = outbox;
    }

    static OutboxWatch start(Outbox outbox) {
        OutboxWatch watch = new OutboxWatch(outbox);
        Thread.ofVirtual().name("semel-outbox-watch").start(watch::run);
        return watch;
    }

    private void run() {
        try {
            do look();
            while (!closed.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            OutboxStatus status = outbox.status();
            last = status;
            failure = null;
            tellBlocker(status.blocker());
        } catch (SQLException | RuntimeException e) {
            // What a driver says may hold the URL with its password.
            failure = "The database of the outbox does not answer ("
                    + e.getClass().getSimpleName() + ").";
        }
    }

    /** One line when it begins and one when it is over. */
    private void tellBlocker(OutboxStatus.@Nullable Blocker now) {
        String what = now == null ? null : now.what();
        if (now != null && !now.what().equals(blocker))
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A transaction is open since {0}: {1}. Messages are sent, but what they leave behind cannot be"
                            + " cleaned up before it ends, and reading gets slower.",
                    now.since(),
                    now.what());
        if (what == null && blocker != null)
            LOG.log(System.Logger.Level.INFO, "The transaction that kept the outbox from being cleaned up is over.");
        blocker = what;
    }

    @Nullable
    OutboxStatus last() {
        return last;
    }

    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
