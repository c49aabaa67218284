package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs statements of a relay or an operator, at the isolation level "read committed": at MariaDB's own, statements that look for
 * rows lock the gaps between them too, and meet those who append in deadlocks.
 */
final class MariaDbTransaction {
    private static final int MOST_ATTEMPTS = 5;
    private static final int DEADLOCK = 1213;
    private static final int CHANGED_SINCE_READ = 1020;

    /**
     * In seconds. A process that stands still in the middle of a transaction holds the leases of its shards locked, and nobody could take
     * them over. The server ends it then.
     */
    private static final int PATIENCE = 5;

    private MariaDbTransaction() {}

    /** What is done in a transaction. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** The work may be run again: what a deadlock rolled back has left nothing behind. */
    static <T> T run(Connection connection, Work<T> work) throws SQLException {
        return withoutDeadlock(() -> once(connection, work));
    }

    /** One statement, which is a transaction of its own. */
    static int update(Connection connection, MariaDbStatement statement) throws SQLException {
        return withoutDeadlock(() -> {
            execute(connection, "set transaction isolation level read committed");
            return statement.update(connection);
        });
    }

    private interface Attempt<T> {
        T make() throws SQLException;
    }

    private static <T> T withoutDeadlock(Attempt<T> attempt) throws SQLException {
        for (int attempts = 1; ; attempts++) {
            try {
                return attempt.make();
            } catch (SQLException e) {
                boolean rolledBack = e.getErrorCode() == DEADLOCK || e.getErrorCode() == CHANGED_SINCE_READ;
                if (attempts == MOST_ATTEMPTS || !rolledBack) throw e;
            }
        }
    }

    private static <T> T once(Connection connection, Work<T> work) throws SQLException {
        execute(
                connection,
                "set @semel_wait_timeout = @@session.wait_timeout, session wait_timeout = least(" + PATIENCE
                        + ", @@session.wait_timeout)");
        connection.setAutoCommit(false);
        try {
            execute(connection, "set transaction isolation level read committed");
            T result = work.on(connection);
            connection.commit();
            return result;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
            execute(connection, "set session wait_timeout = @semel_wait_timeout");
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
