package dev.semel.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** All that is missing runs in one transaction. */
final class PostgresMigrations extends Migrations {
    static final PostgresMigrations INSTANCE = new PostgresMigrations();

    private static final int OLDEST_SERVER = 14;

    /** The name of the advisory lock, which ends with the transaction: "Semel" in ASCII. */
    private static final long LOCK = 0x53656D656CL;

    private PostgresMigrations() {
        super(
                "postgresql",
                List.of(
                        "V1__keys.sql",
                        "V2__doubts.sql",
                        "V3__tenants.sql",
                        "V4__remote_holders.sql",
                        "V5__joining.sql",
                        "V6__fences.sql"));
    }

    @Override
    void requireKnown(Connection connection) throws SQLException {
        requireKnown(number(connection, "select current_setting('server_version_num')::int / 10000"));
    }

    static void requireKnown(int server) {
        if (server < OLDEST_SERVER)
            throw new IllegalStateException(
                    "Semel needs PostgreSQL " + OLDEST_SERVER + " or later; this server is PostgreSQL " + server + ".");
    }

    /** Looks the table up with a query: the shorter {@code to_regclass} may answer from before the lock was got. */
    @Override
    boolean isBegun(Connection connection) throws SQLException {
        return number(
                        connection,
                        "select count(*) from pg_class where relname = 'semel_schema' and pg_table_is_visible(oid)")
                > 0;
    }

    @Override
    void alone(Connection connection, Work work) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
            work.on(connection);
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException | RuntimeException e) {
            undo(connection, e);
            throw e;
        }
    }

    private static void undo(Connection connection, Exception why) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            why.addSuppressed(e);
        }
    }
}
