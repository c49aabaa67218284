package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Makes the schema, usually {@code semel}, with the tables and functions of messaging. All that is missing runs in one transaction. */
final class PostgresMessagingSchema {
    private static final MessagingScripts SCRIPTS = new MessagingScripts(
            "postgresql", "semel.messaging_schema", List.of("V1__outbox.sql", "V2__inbox.sql", "V3__dead_letters.sql"));

    private static final String BEGIN = """
        create table if not exists semel.messaging_schema (
            version     int primary key,
            migrated_at timestamptz not null default now()
        );
        """;

    private static final int OLDEST_SERVER = 14;

    /** The name of the advisory lock, which ends with the transaction: "Semel", and one more. */
    private static final long LOCK = 0x53656D656CL + 1;

    private final PostgresSchema schema;
    private final String shards;

    /** @param shards into how many shards new tables divide messages */
    PostgresMessagingSchema(PostgresSchema schema, int shards) {
        this.schema = schema;
        this.shards = Integer.toString(shards);
    }

    /** Where nothing is missing this only looks, and so needs no right to create tables. */
    void migrate(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            requireKnown(connection);
            if (SCRIPTS.isComplete(version(connection))) return;
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
                statement.execute(begin());
                SCRIPTS.run(connection, version(connection), shards, schema);
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    String missing(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            requireKnown(connection);
            int version = version(connection);
            return SCRIPTS.isComplete(version) ? "" : begin() + schema.in(SCRIPTS.after(version, shards));
        }
    }

    private String begin() {
        return "create schema if not exists " + schema.name() + ";\n" + schema.in(BEGIN);
    }

    private static void requireKnown(Connection connection) throws SQLException {
        int server = MessagingScripts.number(connection, "select current_setting('server_version_num')::int / 10000");
        if (server < OLDEST_SERVER)
            throw new IllegalStateException("Messaging needs PostgreSQL " + OLDEST_SERVER
                    + " or later; this server is PostgreSQL " + server + ".");
    }

    private int version(Connection connection) throws SQLException {
        int tables = MessagingScripts.number(
                connection,
                "select count(*) from pg_class as t join pg_namespace as n on n.oid = t.relnamespace"
                        + " where n.nspname = '" + schema.name() + "' and t.relname = 'messaging_schema'");
        if (tables == 0) return 0;
        return MessagingScripts.number(
                connection, schema.in("select coalesce(max(version), 0) from semel.messaging_schema"));
    }
}
