package dev.semel.relay;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;

/**
 * Listens for announcements that something was appended, and wakes the relay. It has a connection to the server of its own, which is in
 * no transaction: a pooler that gives each transaction another session cannot stand between.
 */
final class OutboxNews implements AutoCloseable {
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);
    private static final int LONGEST_WAIT = 5_000;

    private final String url;
    private final Runnable wake;
    private final CountDownLatch closed = new CountDownLatch(1);

    private OutboxNews(String url, Runnable wake) {
        this.url = url;
        this.wake = wake;
    }

    static OutboxNews start(String url, Runnable wake) {
        OutboxNews news = new OutboxNews(url, wake);
        Thread.ofVirtual().name("outbox-news").start(news::run);
        return news;
    }

    /** While there is no connection the relay looks by itself, as it does anyway. */
    private void run() {
        try {
            do listen();
            while (!closed.await(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        Properties settings = new Properties();
        settings.setProperty("ApplicationName", "semel-relay");
        settings.setProperty("connectTimeout", "5");
        settings.setProperty("tcpKeepAlive", "true");
        try (Connection connection = DriverManager.getConnection(url, settings);
                Statement statement = connection.createStatement()) {
            statement.execute("listen semel_outbox");
            PGConnection server = connection.unwrap(PGConnection.class);
            while (closed.getCount() > 0 && connection.isValid(1))
                if (server.getNotifications(LONGEST_WAIT).length > 0) wake.run();
        } catch (SQLException e) {
            // It is tried again; nothing depends on it.
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
