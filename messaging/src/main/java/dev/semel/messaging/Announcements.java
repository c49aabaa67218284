package dev.semel.messaging;

import dev.semel.messaging.tables.OutboxTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Tells relays in other processes that something was appended: at once when it was quiet before, and after that as often as they can
 * make use of it, however many transactions there are.
 */
final class Announcements {
    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final DataSource database;
    private final OutboxTables tables;

    /** What was appended and not announced yet; above 0, a thread is at it. */
    private final AtomicInteger open = new AtomicInteger();

    Announcements(DataSource database, OutboxTables tables) {
        this.database = database;
        this.tables = tables;
    }

    void signal() {
        if (open.getAndUpdate(n -> Math.min(n + 1, 2)) == 0)
            Thread.ofVirtual().name("outbox-announces").start(this::announceUntilQuiet);
    }

    private void announceUntilQuiet() {
        do {
            open.set(1);
            try (Connection connection = database.getConnection()) {
                tables.announce(connection);
            } catch (SQLException | RuntimeException e) {
                // Relays find it at their next look.
            }
            LockSupport.parkNanos(BETWEEN.toNanos());
        } while (!open.compareAndSet(1, 0));
    }
}
