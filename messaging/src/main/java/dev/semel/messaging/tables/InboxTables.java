package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import javax.sql.DataSource;

/** The inbox in a database. Safe for use by any thread. */
public interface InboxTables {
    void migrate(DataSource database) throws SQLException;

    /**
     * Writes down that this consumer has had these messages, as a part of the caller's transaction. While another open
     * transaction has one of them, waits for that to end. After an exception none of them counts as received, also if the caller
     * commits.
     *
     * @return those that it had not
     */
    Set<String> firstTimes(Connection transaction, String consumer, Collection<String> messageIds) throws SQLException;

    /**
     * Forgets what is older, where it can be done at once. Holds up consumers for moments only.
     *
     * @param connection in auto-commit mode
     * @param keep for how long at least an id is kept
     * @return whether anything was forgotten
     */
    boolean expire(Connection connection, Duration keep) throws SQLException;
}
