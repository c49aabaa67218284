package dev.semel.bench.storage;

import dev.semel.core.store.KeyStore;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** PostgreSQL: the table with its indexes and its TOAST table, after a vacuum. */
final class PostgresMeasured implements MeasuredStore {
    private final PostgresServer server;
    private @Nullable KeyStore open;

    PostgresMeasured(Path folder) {
        this.server = PostgresServer.startFromClassPath(folder.resolve("postgres"), "synchronous_commit=off");
    }

    @Override
    public KeyStore openEmpty() throws SQLException {
        if (open == null) open = PostgresKeyStore.open(server.jdbcUrl());
        run("truncate semel_key");
        return open;
    }

    @Override
    public long bytes() throws SQLException {
        run("vacuum semel_key");
        return size();
    }

    /** The room of the outcomes is still there, for others; so the table is written anew. */
    @Override
    public long bytesAfterStripping() throws SQLException {
        run("vacuum full semel_key");
        return size();
    }

    private long size() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_total_relation_size('semel_key')")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String how() {
        return "PostgreSQL 18, table, indexes and TOAST after a vacuum; tombstones after a full vacuum";
    }

    @Override
    public void close() {
        if (open != null) open.close();
        server.close();
    }
}
