package dev.semel.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Only this process has the database, so it waits for itself alone. */
final class H2Migrations extends Migrations {
    static final H2Migrations INSTANCE = new H2Migrations();

    private static final ReentrantLock LOCK = new ReentrantLock();

    private H2Migrations() {
        super("h2", List.of("V1__keys.sql"));
    }

    @Override
    void requireKnown(Connection connection) throws SQLException {
        int major = connection.getMetaData().getDatabaseMajorVersion();
        if (major < 2) throw new IllegalStateException("Semel needs H2 2.1 or later; this is H2 " + major + ".");
    }

    @Override
    boolean isBegun(Connection connection) throws SQLException {
        return number(
                        connection,
                        "select count(*) from information_schema.tables"
                                + " where table_schema = current_schema and upper(table_name) = 'SEMEL_SCHEMA'")
                > 0;
    }

    @Override
    void alone(Connection connection, Work work) throws SQLException {
        LOCK.lock();
        try {
            work.on(connection);
        } finally {
            LOCK.unlock();
        }
    }
}
