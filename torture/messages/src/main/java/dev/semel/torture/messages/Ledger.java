package dev.semel.torture.messages;

import dev.semel.torture.messages.check.Committed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What was committed, written in the transactions of the writers: so it is known also of a commit whose answer was lost. And the effects
 * of the consumers. That a database keeps what it has committed is taken for granted.
 */
final class Ledger {
    private static final List<String> TABLES = List.of(
            "create table torture_ledger (message_id varchar(36) primary key, message_key varchar(200), n bigint not"
                    + " null)",
            "create table torture_counter (message_key varchar(200) primary key, n bigint not null)",
            "create table torture_effect (n {serial} primary key, message_id varchar(200) not null, consumer"
                    + " varchar(200))");

    private Ledger() {}

    static void create(Connection connection, List<String> keys) throws SQLException {
        boolean postgres = connection.getMetaData().getURL().startsWith("jdbc:postgresql:");
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES)
                statement.execute(table.replace("{serial}", postgres ? "bigserial" : "bigint auto_increment"));
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into torture_counter values (?, 0)")) {
            for (String key : keys) {
                insert.setString(1, key);
                insert.executeUpdate();
            }
        }
    }

    static void write(Connection transaction, List<Committed> messages) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("insert into torture_ledger values (?, ?, ?)")) {
            for (Committed message : messages) {
                insert.setString(1, message.id());
                insert.setString(2, message.key());
                insert.setLong(3, message.number());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    static List<Committed> read(Connection connection, Set<String> dropped) throws SQLException {
        List<Committed> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id, message_key, n from torture_ledger")) {
            while (row.next()) {
                String id = row.getString(1);
                all.add(new Committed(id, row.getString(2), row.getLong(3), dropped.contains(id)));
            }
        }
        return all;
    }

    static List<String> effects(Connection connection) throws SQLException {
        List<String> effects = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select message_id from torture_effect order by n")) {
            while (row.next()) effects.add(row.getString(1));
        }
        return effects;
    }

    static long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
