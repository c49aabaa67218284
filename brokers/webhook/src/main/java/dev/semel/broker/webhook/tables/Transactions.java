package dev.semel.broker.webhook.tables;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/** Short transactions at read committed, each with a time after which the database is not waited for any more. */
public final class Transactions {
    private static final Executor AT_ONCE = Runnable::run;

    private final DataSource database;
    private final DeliveryTime time;
    private final Duration patience;

    /** @param patience how long one statement may take, and an answer of the database */
    public Transactions(DataSource database, DeliveryTime time, Duration patience) {
        this.database = database;
        this.time = time;
        this.patience = patience;
    }

    /** What is done in one. */
    @FunctionalInterface
    public interface Work<T> {
        T with(Connection connection, Instant now) throws SQLException;
    }

    /** When this throws, the transaction may have been committed or not. */
    public <T> T run(Work<T> work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(AT_ONCE, (int) patience.plusSeconds(1).toMillis());
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try {
                Sql.of(
                                connection,
                                "select set_config('statement_timeout', ?, true)",
                                Long.toString(patience.toMillis()))
                        .list(row -> row.getString(1));
                T result = work.with(connection, time.now(connection));
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollback(connection, e);
                throw e;
            } finally {
                if (!connection.isClosed()) {
                    connection.setAutoCommit(true);
                    connection.setNetworkTimeout(AT_ONCE, before);
                }
            }
        }
    }

    private static void rollback(Connection connection, Exception reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }
}
