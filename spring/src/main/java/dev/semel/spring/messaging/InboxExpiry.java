package dev.semel.spring.messaging;

import dev.semel.messaging.Inbox;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;

/** Lets the inbox forget what is older than its window, every minute. */
final class InboxExpiry implements DisposableBean {
    private static final System.Logger LOG = System.getLogger(InboxExpiry.class.getName());
    private static final Duration BETWEEN = Duration.ofMinutes(1);

    private final CountDownLatch ended = new CountDownLatch(1);

    Inbox of(Inbox inbox) {
        Thread.ofVirtual().name("semel-inbox-expiry").start(() -> run(inbox));
        return inbox;
    }

    private void run(Inbox inbox) {
        try {
            while (!ended.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) expire(inbox);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** It is only late when the database is away. */
    private static void expire(Inbox inbox) {
        try {
            inbox.expire();
        } catch (SQLException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "The inbox could not forget what is too old; it tries again", e);
        }
    }

    @Override
    public void destroy() {
        ended.countDown();
    }
}
