package dev.semel.messaging.tables;

import dev.semel.messaging.tables.OutboxStatus.Blocker;
import dev.semel.messaging.tables.OutboxStatus.Shard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads how the outbox is doing. */
final class PostgresOutboxStatus {
    /** A transaction that has been open for so long is worth a word. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private PostgresOutboxStatus() {}

    static OutboxStatus read(Connection connection, PostgresSchema schema) throws SQLException {
        return read(connection, schema, LONG);
    }

    /** @param longOpen from when on an open transaction is worth a word */
    static OutboxStatus read(Connection connection, PostgresSchema schema, Duration longOpen) throws SQLException {
        List<Shard> shards = shards(connection, schema);
        Blocker blocker = blocker(connection, longOpen);
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.STATUS))) {
            new SqlArrays(connection, statement).number(OutboxStatus.COUNTED).number(OutboxStatus.COUNTED);
            statement.execute();
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                Long oldest = row.getObject("oldest", Long.class);
                return new OutboxStatus(
                        row.getLong("waiting"),
                        oldest == null ? null : Duration.ofMillis(oldest),
                        row.getLong("parked"),
                        row.getLong("dead"),
                        shards,
                        blocker);
            }
        }
    }

    private static List<Shard> shards(Connection connection, PostgresSchema schema) throws SQLException {
        List<Shard> shards = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.SHARDS));
                ResultSet row = statement.executeQuery()) {
            while (row.next())
                shards.add(new Shard(
                        row.getInt("shard"),
                        row.getLong("epoch"),
                        row.getString("relay"),
                        Duration.ofMillis(row.getLong("left_over"))));
        }
        return shards;
    }

    private static @Nullable Blocker blocker(Connection connection, Duration longOpen) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PostgresOutboxSql.BLOCKER)) {
            new SqlArrays(connection, statement).number(longOpen.toMillis());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Blocker(row.getString("what"), Duration.ofMillis(row.getLong("since"))) : null;
            }
        }
    }
}
