package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Makes the tables of messaging in the database of the connection; their names begin with {@code semel_}. There is no transaction
 * around changes of tables here, so each script can be run again where it was cut off.
 */
final class MariaDbMessagingSchema {
    private static final MessagingScripts SCRIPTS = new MessagingScripts(
            "mariadb", "semel_messaging_schema", List.of("V1__outbox.sql", "V2__inbox.sql", "V3__dead_letters.sql"));

    private static final String BEGIN = """
        create table if not exists semel_messaging_schema (
            version     int primary key,
            migrated_at timestamp not null default current_timestamp
        ) engine = InnoDB;
        """;

    private static final int LONGEST_WAIT_SECONDS = 600;

    /** The largest message, in which each byte may need two on the way, and what is around it. */
    static final int PACKET = 4 << 20;

    private final int shards;

    /** @param shards into how many shards messages are divided */
    MariaDbMessagingSchema(int shards) {
        this.shards = shards;
    }

    /** Where nothing is missing this only looks, and so needs no right to create tables. */
    void migrate(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            requireKnown(connection);
            if (!SCRIPTS.isComplete(version(connection))) alone(connection);
            requireShards(connection);
        }
    }

    String missing(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            requireKnown(connection);
            int version = version(connection);
            if (!SCRIPTS.isComplete(version)) return BEGIN + SCRIPTS.after(version, rows());
            requireShards(connection);
            return "";
        }
    }

    /** The lock is the session's, and ends with it at the latest. Its name counts in the whole server. */
    private void alone(Connection connection) throws SQLException {
        String name = "concat('semel messaging ', md5(database()))";
        if (MessagingScripts.number(connection, "select get_lock(" + name + ", " + LONGEST_WAIT_SECONDS + ")") != 1)
            throw new SQLException("Another process has been changing the tables for too long.");
        try {
            MariaDbTransaction.execute(connection, BEGIN.strip().replaceAll(";$", ""));
            SCRIPTS.runSingly(connection, version(connection), rows());
        } finally {
            MessagingScripts.number(connection, "select release_lock(" + name + ")");
        }
    }

    private String rows() {
        return IntStream.range(0, shards).mapToObj(shard -> "(" + shard + ")").collect(Collectors.joining(", "));
    }

    private static void requireKnown(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version() as version, database() as name,"
                        + " @@max_allowed_packet as packet, @@log_bin as logged, @@binlog_format as format")) {
            row.next();
            requireKnown(row.getString("version"));
            if (row.getString("name") == null)
                throw new IllegalStateException("The connection names no database: jdbc:mariadb://HOST/DATABASE?…");
            if (row.getLong("packet") < PACKET)
                throw new IllegalStateException("Messaging needs a max_allowed_packet of at least " + PACKET
                        + " bytes, for a message may be that large on its way; the server has "
                        + row.getLong("packet") + ".");
            if (row.getInt("logged") == 1 && "STATEMENT".equals(row.getString("format")))
                throw new IllegalStateException(
                        "The server has binlog_format=STATEMENT, with which it refuses to write at the isolation level"
                                + " that a relay needs (read committed). Messaging needs MIXED or ROW.");
        }
    }

    static void requireKnown(String version) {
        boolean maria = version.contains("MariaDB");
        String[] parts = version.split("[.-]", 3);
        int number = Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]);
        if (number < (maria ? 10_06 : 8_00))
            throw new IllegalStateException(
                    "Messaging needs MariaDB 10.6 or MySQL 8.0, or later; this server is " + version + ".");
    }

    /** A key must not change its shard. */
    private void requireShards(Connection connection) throws SQLException {
        int there = MessagingScripts.number(connection, "select count(*) from semel_relay_shard");
        if (there != shards)
            throw new IllegalStateException("The outbox in this database has " + there + " shards, and this Semel "
                    + shards + ": they would not keep the order of a key.");
    }

    private static int version(Connection connection) throws SQLException {
        int tables = MessagingScripts.number(
                connection,
                "select count(*) from information_schema.tables"
                        + " where table_schema = database() and table_name = 'semel_messaging_schema'");
        if (tables == 0) return 0;
        return MessagingScripts.number(connection, "select coalesce(max(version), 0) from semel_messaging_schema");
    }
}
