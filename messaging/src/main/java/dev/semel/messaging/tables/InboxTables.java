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
     * Writes down that this consumer has had these messages, as a part of the caller's transaction, in one statement. While another
     * open transaction has one of them, waits for that to end.
     *
     * @return those that it had not
     */
    Set<String> firstTimes(Connection transaction, String consumer, Collection<String> messageIds) throws SQLException;

    /**
     * Whether this transaction still holds what {@link #firstTimes} wrote in it. It does not when it was rolled back meanwhile, by
     * whomever: what goes on then is another transaction.
     *
     * @throws SQLException also when the transaction has failed and can only be rolled back
     */
    boolean isNoted(Connection transaction, String consumer, String messageId) throws SQLException;

    /**
     * Forgets what is older, where it can be done at once. Holds up consumers for moments only.
     *
     * @param connection in auto-commit mode
     * @param keep for how long at least an id is kept
     * @return whether anything was forgotten
     */
    boolean expire(Connection connection, Duration keep) throws SQLException;
}
