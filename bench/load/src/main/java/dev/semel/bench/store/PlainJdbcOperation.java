package dev.semel.bench.store;

import dev.semel.bench.loop.Operation;
import dev.semel.core.key.KeyId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/**
 * What the store does for a first request, without the store: {@link BareStatements}, prepared once on a connection for each
 * caller, and nothing around them.
 */
final class PlainJdbcOperation implements Operation, AutoCloseable {
    private final DataSource database;
    private final String run;
    private final Queue<Session> idle = new ConcurrentLinkedQueue<>();

    PlainJdbcOperation(DataSource database, String run) {
        this.database = database;
        this.run = run;
    }

    private record Session(Connection connection, PreparedStatement claim, PreparedStatement complete) {}

    @Override
    public void run(long number) throws Exception {
        Session session = idle.poll();
        if (session == null) session = connect();
        KeyId id = KeyOperations.id(run, number);
        long revision = claim(session.claim(), id);
        complete(session.complete(), id, revision, KeyOperations.outcome(number));
        idle.add(session);
    }

    private Session connect() throws SQLException {
        Connection connection = database.getConnection();
        return new Session(
                connection,
                connection.prepareStatement(BareStatements.forJdbc(BareStatements.CLAIM)),
                connection.prepareStatement(BareStatements.forJdbc(BareStatements.COMPLETE)));
    }

    private static long claim(PreparedStatement claim, KeyId id) throws SQLException {
        claim.setBytes(1, id.digest());
        claim.setString(2, id.key());
        claim.setBytes(3, KeyOperations.FINGERPRINT.bytes());
        return revision(claim);
    }

    private static void complete(PreparedStatement complete, KeyId id, long revision, byte[] outcome)
            throws SQLException {
        complete.setBytes(1, outcome);
        complete.setBytes(2, id.digest());
        complete.setLong(3, revision);
        revision(complete);
    }

    private static long revision(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) throw new SQLException("No row was written.");
            return rows.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Session session; (session = idle.poll()) != null; )
            session.connection().close();
    }
}
