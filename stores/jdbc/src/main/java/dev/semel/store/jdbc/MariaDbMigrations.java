package dev.semel.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** There is no transaction around changes of tables here, so each script can be run again where it was cut off. */
final class MariaDbMigrations extends Migrations {
    static final MariaDbMigrations INSTANCE = new MariaDbMigrations();

    private static final int LONGEST_WAIT_SECONDS = 600;

    private MariaDbMigrations() {
        super("mariadb", List.of("V1__keys.sql", "V2__joining.sql"));
    }

    @Override
    void requireKnown(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select version()")) {
                row.next();
                requireKnown(row.getString(1));
            }
            statement.execute("select 1; select 2");
            while (statement.getMoreResults()) {}
        } catch (SQLException e) {
            if (e.getErrorCode() != 1064) throw e;
            throw new IllegalStateException(
                    "The connections to MariaDB or MySQL must take several statements at once: add"
                            + " allowMultiQueries=true to the JDBC URL of the pool.",
                    e);
        }
    }

    static void requireKnown(String version) {
        boolean maria = version.contains("MariaDB");
        String[] parts = version.split("[.-]", 3);
        int number = Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]);
        if (number < (maria ? 10_06 : 8_00))
            throw new IllegalStateException(
                    "Semel needs MariaDB 10.6 or MySQL 8.0, or later; this server is " + version + ".");
    }

    @Override
    boolean isBegun(Connection connection) throws SQLException {
        return number(
                        connection,
                        "select count(*) from information_schema.tables"
                                + " where table_schema = database() and table_name = 'semel_schema'")
                > 0;
    }

    /** The lock is the session's, and ends with it at the latest. Its name counts in the whole server. */
    @Override
    void alone(Connection connection, Work work) throws SQLException {
        String name = "concat('semel ', md5(database()))";
        if (number(connection, "select get_lock(" + name + ", " + LONGEST_WAIT_SECONDS + ")") != 1)
            throw new SQLException("Another process has been changing the tables for too long.");
        try {
            work.on(connection);
        } finally {
            number(connection, "select release_lock(" + name + ")");
        }
    }
}
