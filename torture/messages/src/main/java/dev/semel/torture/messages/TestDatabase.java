package dev.semel.torture.messages;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The database of the outbox and of the inbox, as a run needs it: what differs between databases. */
interface TestDatabase extends AutoCloseable {

    /** For whoever is called that, such as {@code relay-1}: the database may tell by it who did what. */
    String url(String name);

    /** What the run needs beside the tables of outbox and inbox, which are there. */
    void prepare(Connection connection) throws SQLException;

    /**
     * Adds so many to the number of a key, which then belongs to this transaction until it ends.
     *
     * @return the number before
     */
    long draw(Connection transaction, String key, int howMany) throws SQLException;

    /** Whether messages are also appended by a call in SQL. */
    boolean hasCalls();

    /** Appends one by a call in SQL, as any language would. */
    UUID call(Connection transaction, String topic, @Nullable String key, byte[] payload) throws SQLException;

    /** How many shards this relay has, or had last before nobody. */
    int shards(Connection connection, String relay) throws SQLException;

    /**
     * Stops a relay right between the answers of the broker and writing them down: it finds them when it goes on, and its connections
     * broken.
     *
     * @param pause stops its process
     * @return whether it was there; if not, nothing has happened to it but the pause
     */
    boolean strand(Connection connection, String relay, Runnable pause) throws SQLException;

    /** What relays have deleted of shards that were not theirs any more. */
    List<String> lateDeletes(Connection connection) throws SQLException;

    void kill9();

    /** Returns when it takes connections. */
    void restart();

    @Override
    void close();
}
