package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * Brings the tables to the version that this program knows. Scripts are numbered and never change once released. All
 * that is missing runs in one transaction, and processes that start at the same time wait for each other.
 */
final class PostgresMigrations {
    static final List<String> SCRIPTS = List.of(
            "V1__keys.sql",
            "V2__doubts.sql",
            "V3__tenants.sql",
            "V4__remote_holders.sql",
            "V5__joining.sql",
            "V6__fences.sql");
    private static final int OLDEST_SERVER = 14;

    /** The name of the advisory lock, which ends with the transaction: "Semel" in ASCII. */
    private static final long LOCK = 0x53656D656CL;

    private PostgresMigrations() {}

    /** Where nothing is missing this only looks, and so needs no right to create tables. */
    static void run(DataSource database) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            requireKnown(serverVersion(connection));
            if (version(connection) == SCRIPTS.size()) return;
            migrate(connection);
        } catch (SQLException e) {
            throw StoreException.notApplied(
                    "The tables of Semel could not be brought up to date: " + PostgresFailures.ofConnecting(e), e);
        }
    }

    private static void migrate(Connection connection) throws SQLException {
        // However long: an index on a large table takes minutes. The pool takes its own time back afterwards.
        connection.setNetworkTimeout(Runnable::run, 0);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
            for (int next = version(connection) + 1; next <= SCRIPTS.size(); next++) statement.execute(script(next));
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

    private static int serverVersion(Connection connection) throws SQLException {
        return number(connection, "select current_setting('server_version_num')::int / 10000");
    }

    static void requireKnown(int server) {
        if (server < OLDEST_SERVER)
            throw new IllegalStateException(
                    "Semel needs PostgreSQL " + OLDEST_SERVER + " or later; this server is PostgreSQL " + server + ".");
    }

    /** Looks the table up with a query: the shorter {@code to_regclass} may answer from before the lock was got. */
    private static int version(Connection connection) throws SQLException {
        String tables = "select count(*) from pg_class where relname = 'semel_schema' and pg_table_is_visible(oid)";
        if (number(connection, tables) == 0) return 0;
        int version = number(connection, "select coalesce(max(version), 0) from semel_schema");
        if (version > SCRIPTS.size())
            throw new IllegalStateException("The tables of Semel in this database are of version " + version
                    + ", made by a newer Semel; this one knows them up to version " + SCRIPTS.size() + ".");
        return version;
    }

    private static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** All that {@link #run} would do to this database. */
    static String missing(DataSource database) {
        try (Connection connection = database.getConnection()) {
            requireKnown(serverVersion(connection));
            StringBuilder sql = new StringBuilder();
            for (int next = version(connection) + 1; next <= SCRIPTS.size(); next++) sql.append(script(next));
            return sql.toString();
        } catch (SQLException e) {
            throw StoreException.notApplied(
                    "The tables of Semel could not be looked at: " + PostgresFailures.ofConnecting(e), e);
        }
    }

    private static String script(int version) {
        String name = SCRIPTS.get(version - 1);
        try (InputStream script = PostgresMigrations.class.getResourceAsStream("postgresql/" + name)) {
            if (script == null) throw new IllegalStateException("The script " + name + " is not in the jar.");
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    + "\ninsert into semel_schema (version) values (" + version + ");\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
