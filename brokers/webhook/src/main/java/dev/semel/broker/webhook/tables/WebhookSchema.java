package dev.semel.broker.webhook.tables;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** Makes the tables of webhooks in the schema {@code semel}, beside those of the outbox. */
public final class WebhookSchema {
    private static final List<String> SCRIPTS = List.of("V1__webhooks.sql");

    private static final String BEGIN = """
        create schema if not exists semel;
        create table if not exists semel.webhook_schema (
            version     int primary key,
            migrated_at timestamptz not null default now()
        );
        """;

    /** The name of the advisory lock, which ends with the transaction: "Semel", and two more. */
    private static final long LOCK = 0x53656D656CL + 2;

    private WebhookSchema() {}

    /**
     * Makes what is missing, in one transaction; where nothing is, this only looks.
     *
     * @throws IllegalStateException when the database is another one than PostgreSQL, or used by a newer version
     */
    public static void migrate(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            requirePostgres(connection);
            if (isComplete(connection)) return;
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
                statement.execute(BEGIN);
                for (int next = version(connection) + 1; next <= SCRIPTS.size(); next++)
                    statement.execute(script(next));
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** @throws IllegalStateException when they are missing, or of another version */
    public static void require(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            requirePostgres(connection);
            if (!isComplete(connection))
                throw new IllegalStateException("There are no tables of webhooks in this database, or older ones."
                        + " A relay that is started with --broker webhook: makes them.");
        }
    }

    private static void requirePostgres(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        if (!url.startsWith("jdbc:postgresql:"))
            throw new IllegalStateException("Webhooks are kept in PostgreSQL only, for now; this is "
                    + url.replaceAll("[?;/].*", "") + ". Use an outbox in PostgreSQL.");
    }

    private static boolean isComplete(Connection connection) throws SQLException {
        int version = version(connection);
        if (version > SCRIPTS.size())
            throw new IllegalStateException("The tables of webhooks in this database are of version " + version
                    + ", made by a newer Semel; this one knows them up to version " + SCRIPTS.size() + ".");
        return version == SCRIPTS.size();
    }

    private static int version(Connection connection) throws SQLException {
        Boolean there = Sql.of(connection, "select to_regclass('semel.webhook_schema') is not null")
                .first(row -> row.getBoolean(1));
        if (!Boolean.TRUE.equals(there)) return 0;
        Integer version = Sql.of(connection, "select coalesce(max(version), 0) from semel.webhook_schema")
                .first(row -> row.getInt(1));
        return version == null ? 0 : version;
    }

    private static String script(int version) {
        String name = SCRIPTS.get(version - 1);
        try (InputStream script = WebhookSchema.class.getResourceAsStream(name)) {
            if (script == null) throw new IllegalStateException("The script " + name + " is not in the jar.");
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    + "\ninsert into semel.webhook_schema (version) values (" + version + ");\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
