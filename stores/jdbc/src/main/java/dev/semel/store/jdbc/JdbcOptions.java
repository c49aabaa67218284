package dev.semel.store.jdbc;

import java.time.Duration;

/**
 * How a {@link PostgresKeyStore} talks to its database.
 *
 * @param poolSize how many connections it keeps, at most
 * @param connectionTimeout how long a call waits for one of them, and for a new one to be made
 * @param statementTimeout after how long a statement is cancelled, in whole seconds: it then has had no effect
 * @param socketTimeout how long the database may be silent before a connection counts as broken; longer than the
 *     statement timeout, for what a broken connection carried is of unknown fate. Requests wait no longer than this, a
 *     second more for the attempt to cancel, and the connection timeout
 */
public record JdbcOptions(int poolSize, Duration connectionTimeout, Duration statementTimeout, Duration socketTimeout) {

    public static final JdbcOptions DEFAULT = new JdbcOptions(
            Math.max(8, 2 * Runtime.getRuntime().availableProcessors() + 2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3));

    public JdbcOptions {
        if (poolSize < 1) throw new IllegalArgumentException("A pool has at least one connection, not " + poolSize);
        if (connectionTimeout.compareTo(Duration.ofMillis(250)) < 0)
            throw new IllegalArgumentException("The connection timeout is at least 250 ms, not " + connectionTimeout);
        if (statementTimeout.toSeconds() < 1)
            throw new IllegalArgumentException("The statement timeout is at least 1 s, not " + statementTimeout);
        if (socketTimeout.compareTo(statementTimeout) <= 0)
            throw new IllegalArgumentException("The socket timeout must be longer than the statement timeout: "
                    + socketTimeout + ", " + statementTimeout);
    }

    /** How many batches of inserts may be in flight at once when some are slow, and how many batches of changes. */
    int maxConcurrentBatches() {
        return Math.max(1, poolSize / 4);
    }

    public JdbcOptions withPoolSize(int poolSize) {
        return new JdbcOptions(poolSize, connectionTimeout, statementTimeout, socketTimeout);
    }

    public JdbcOptions withConnectionTimeout(Duration connectionTimeout) {
        return new JdbcOptions(poolSize, connectionTimeout, statementTimeout, socketTimeout);
    }

    public JdbcOptions withStatementTimeout(Duration statementTimeout) {
        return new JdbcOptions(poolSize, connectionTimeout, statementTimeout, socketTimeout);
    }

    public JdbcOptions withSocketTimeout(Duration socketTimeout) {
        return new JdbcOptions(poolSize, connectionTimeout, statementTimeout, socketTimeout);
    }
}
