package dev.semel.torture.library;

import dev.semel.core.Attempt;
import dev.semel.torture.Digest;
import dev.semel.torture.RunClock;
import dev.semel.torture.history.Event;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Effects in the database of the keys: a table of the run's own, with a row for each. It has no unique key, for it is here to
 * count.
 */
public record JoinedLedger(String table) {

    public void make(String url) throws SQLException {
        execute(url, """
            create table %s (at bigint not null, key text not null, payload int not null, token bigint not null,
                attempt int not null, body text not null)
            """);
    }

    public void drop(String url) throws SQLException {
        execute(url, "drop table if exists %s");
    }

    private void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql.formatted(table));
        }
    }

    /** Acts in this transaction, and returns an answer of its own. */
    String act(Connection transaction, Attempt attempt, int payload, RunClock clock) throws SQLException {
        String body = "{\"key\":\"%s\",\"payload\":%d,\"effect\":\"%s\"}"
                .formatted(attempt.key(), payload, UUID.randomUUID());
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into %s values (?, ?, ?, ?, ?, ?)".formatted(table))) {
            insert.setLong(1, clock.now());
            insert.setString(2, attempt.key());
            insert.setInt(3, payload);
            insert.setLong(4, attempt.token());
            insert.setInt(5, attempt.number());
            insert.setString(6, body);
            insert.executeUpdate();
        }
        return body;
    }

    /** Everything that was committed. */
    public void events(String url, Consumer<Event.Effect> reader) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select * from %s order by at".formatted(table))) {
            while (rows.next())
                reader.accept(new Event.Effect(
                        rows.getLong("at"),
                        rows.getString("key"),
                        rows.getInt("payload"),
                        rows.getLong("token"),
                        rows.getInt("attempt"),
                        true,
                        Digest.of(rows.getString("body").getBytes(StandardCharsets.UTF_8))));
        }
    }
}
