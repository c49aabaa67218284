package dev.semel.torture.messages;

import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of the run's own. */
final class PostgresDatabase implements TestDatabase {
    /** A relay deletes only while it has the lease of the shard, which cannot change before its transaction ends. */
    private static final String WITNESS = """
        create table torture_late (message_id text not null, relay text not null, owner text);
        create function torture_witness() returns trigger language plpgsql as $$
        begin
            insert into torture_late
            select gone.message_id::text, current_setting('application_name'), leased.relay
            from gone join semel.relay_shard as leased on leased.shard = gone.shard
            where coalesce(leased.relay, '') not like current_setting('application_name') || '-%';
            return null;
        end
        $$;
        create trigger torture_witness after delete on semel.outbox
            referencing old table as gone for each statement execute function torture_witness();
        """;

    private static final long LONG_ENOUGH_TO_WAIT = 1_000_000_000;

    private final PostgresServer server;
    private final String url;

    private PostgresDatabase(PostgresServer server, String url) {
        this.server = server;
        this.url = url;
    }

    static PostgresDatabase start(Path folder) {
        PostgresServer server = PostgresServer.startFromClassPath(folder, "max_connections=200");
        return new PostgresDatabase(server, server.jdbcUrl());
    }

    /** A database of its own: several runs, one after the other, may share a server. */
    static PostgresDatabase on(PostgresServer server, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return new PostgresDatabase(server, server.jdbcUrl(name));
    }

    @Override
    public String url(String name) {
        return url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + name + "&reWriteBatchedInserts=true";
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(WITNESS);
        }
    }

    @Override
    public long draw(Connection transaction, String key, int howMany) throws SQLException {
        try (PreparedStatement update = transaction.prepareStatement(
                "update torture_counter set n = n + ? where message_key = ? returning n")) {
            update.setInt(1, howMany);
            update.setString(2, key);
            try (ResultSet row = update.executeQuery()) {
                row.next();
                return row.getLong(1) - howMany;
            }
        }
    }

    @Override
    public boolean hasCalls() {
        return true;
    }

    @Override
    public UUID call(Connection transaction, String topic, @Nullable String key, byte[] payload) throws SQLException {
        try (PreparedStatement call = transaction.prepareStatement(
                "select semel.append(topic => ?, key => ?, type => 'tortured', payload => ?)")) {
            call.setString(1, topic);
            call.setString(2, key);
            call.setBytes(3, payload);
            try (ResultSet row = call.executeQuery()) {
                row.next();
                return row.getObject(1, UUID.class);
            }
        }
    }

    @Override
    public int shards(Connection connection, String relay) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("select count(*) from semel.relay_shard where relay like ?")) {
            query.setString(1, relay + "-%");
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** Whoever reads goes on, whoever deletes waits. */
    @Override
    public boolean strand(Connection connection, String relay, Runnable pause) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("lock table semel.outbox in share mode");
            LockSupport.parkNanos(LONG_ENOUGH_TO_WAIT);
            pause.run();
            try (ResultSet row = statement.executeQuery("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                    + " where application_name = '" + relay + "' and wait_event_type = 'Lock'")) {
                row.next();
                return row.getInt(1) > 0;
            } finally {
                connection.rollback();
            }
        } finally {
            connection.setAutoCommit(true);
        }
    }

    @Override
    public List<String> lateDeletes(Connection connection) throws SQLException {
        List<String> late = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id, relay, owner from torture_late")) {
            while (row.next())
                late.add(row.getString(1) + " by " + row.getString(2) + ", when the shard was of " + row.getString(3));
        }
        return late;
    }

    @Override
    public void kill9() {
        server.kill9();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
    }
}
