package dev.semel.bench.outbox;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.tables.OutboxStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** A transaction of somebody else that stays open while messages are measured. */
final class LongTransaction implements AutoCloseable {
    private final String url;
    private final Connection connection;

    private LongTransaction(String url, Connection connection) {
        this.url = url;
        this.connection = connection;
    }

    /** What it has done before it fell idle. */
    enum Kind {
        /** It has read: nothing that is deleted from now on can be removed. */
        READER("idle reader"),
        /** It has a number: the floors of the relay cannot rise above it either. */
        WRITER("long foreign writer");

        final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    static LongTransaction begin(Kind kind, String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set application_name = 'month-end report'");
            connection.commit();
            if (kind == Kind.READER) connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute(kind == Kind.READER ? "select count(*) from pg_class" : "select pg_current_xact_id()");
        }
        return new LongTransaction(url, connection);
    }

    /** What operators are told of it. */
    String asOperatorsSeeIt() throws SQLException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url);
        OutboxStatus.Blocker blocker = Outbox.existing(database).status().blocker();
        return blocker == null
                ? "nothing"
                : blocker.what() + ", since "
                        + Duration.ofSeconds(blocker.since().toSeconds());
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
