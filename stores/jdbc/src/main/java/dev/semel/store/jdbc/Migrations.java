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
 * Brings the tables to the version that this program knows. Scripts are numbered and never change once released. Processes
 * that start at the same time wait for each other.
 */
abstract class Migrations {
    private final String folder;
    private final List<String> scripts;

    /** @param folder where the scripts are, beside this class */
    Migrations(String folder, List<String> scripts) {
        this.folder = folder;
        this.scripts = scripts;
    }

    /** @throws IllegalStateException when the server is too old, or is not set up as it must be */
    abstract void requireKnown(Connection connection) throws SQLException;

    /** Whether the table of versions is there. */
    abstract boolean isBegun(Connection connection) throws SQLException;

    /** Runs this while no other process does, in one transaction where the database can. */
    abstract void alone(Connection connection, Work work) throws SQLException;

    interface Work {
        void on(Connection connection) throws SQLException;
    }

    final int count() {
        return scripts.size();
    }

    /** Where nothing is missing this only looks, and so needs no right to create tables. */
    final void run(DataSource database) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            requireKnown(connection);
            if (version(connection) == scripts.size()) return;
            // However long: an index on a large table takes minutes. The pool takes its own time back afterwards.
            connection.setNetworkTimeout(Runnable::run, 0);
            alone(connection, this::runMissing);
        } catch (SQLException e) {
            throw StoreException.notApplied(
                    "The tables of Semel could not be brought up to date: " + SqlFailures.ofConnecting(e), e);
        }
    }

    private void runMissing(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (int next = version(connection) + 1; next <= scripts.size(); next++) {
                boolean more = statement.execute(script(next));
                while (more || statement.getUpdateCount() >= 0) more = statement.getMoreResults();
            }
        }
    }

    private int version(Connection connection) throws SQLException {
        if (!isBegun(connection)) return 0;
        int version = number(connection, "select coalesce(max(version), 0) from semel_schema");
        if (version > scripts.size())
            throw new IllegalStateException("The tables of Semel in this database are of version " + version
                    + ", made by a newer Semel; this one knows them up to version " + scripts.size() + ".");
        return version;
    }

    static int number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** All that {@link #run} would do to this database. */
    final String missing(DataSource database) {
        try (Connection connection = database.getConnection()) {
            requireKnown(connection);
            StringBuilder sql = new StringBuilder();
            for (int next = version(connection) + 1; next <= scripts.size(); next++) sql.append(script(next));
            return sql.toString();
        } catch (SQLException e) {
            throw StoreException.notApplied(
                    "The tables of Semel could not be looked at: " + SqlFailures.ofConnecting(e), e);
        }
    }

    private String script(int version) {
        String name = scripts.get(version - 1);
        try (InputStream script = Migrations.class.getResourceAsStream(folder + "/" + name)) {
            if (script == null) throw new IllegalStateException("The script " + name + " is not in the jar.");
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    + "\ninsert into semel_schema (version) values (" + version + ");\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
