package dev.semel.messaging.tables;

import dev.semel.core.time.EngineTime;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.PostgresFloors.Mark;
import dev.semel.messaging.tables.PostgresFloors.Source;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads from a floor on, which it raises as far as is safe. */
final class PostgresOutboxReader implements OutboxReader {
    private static final Duration BETWEEN_MARKS = Duration.ofMillis(500);

    /** Should a floor ever be wrong, nothing is lost: what is below it is found then. */
    private static final Duration BETWEEN_FULL_READS = Duration.ofMinutes(5);

    private final PostgresSchema schema;
    private final EngineTime time;
    private final PostgresFloors floors = new PostgresFloors();

    /** The epochs for which the floors count: what another relay did meanwhile is not known. */
    private final Map<Integer, Long> epochs = new HashMap<>();

    private long nextMark;
    private long nextFullRead;

    PostgresOutboxReader(PostgresSchema schema, EngineTime time) {
        this.schema = schema;
        this.time = time;
        this.nextMark = time.nanos();
        this.nextFullRead = time.nanos() + BETWEEN_FULL_READS.toNanos();
    }

    @Override
    public Map<ShardLease, List<OutboxRow>> read(
            Connection connection, Collection<ShardLease> leases, Holds holds, int perShard) throws SQLException {
        prepare(connection, leases);
        while (true) {
            Map<ShardLease, List<OutboxRow>> rows = readOnce(connection, leases, holds, perShard);
            if (rows != null) return rows;
            floors.reset();
        }
    }

    private void prepare(Connection connection, Collection<ShardLease> leases) throws SQLException {
        for (ShardLease lease : leases) {
            Long before = epochs.put(lease.shard(), lease.epoch());
            if (before != null && before != lease.epoch()) floors.reset();
        }
        if (time.nanos() - nextFullRead >= 0) {
            floors.reset();
            nextFullRead = time.nanos() + BETWEEN_FULL_READS.toNanos();
        }
        if (!floors.wantsMark() || time.nanos() - nextMark < 0) return;
        floors.mark(mark(connection));
        nextMark = time.nanos() + BETWEEN_MARKS.toNanos();
    }

    /** In this order, and not in one statement, which would see both at once. */
    private Mark mark(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            long last;
            try (ResultSet row = statement.executeQuery(schema.in(PostgresOutboxSql.LAST_NUMBER))) {
                row.next();
                last = row.getLong(1);
            }
            try (ResultSet row = statement.executeQuery(schema.in(PostgresOutboxSql.TRANSACTION_NUMBER))) {
                row.next();
                return new Mark(last, row.getLong("xid"), source(row));
            }
        }
    }

    /** Null when the floors are of another database than the one that answered. */
    private @Nullable Map<ShardLease, List<OutboxRow>> readOnce(
            Connection connection, Collection<ShardLease> leases, Holds holds, int perShard) throws SQLException {
        String query = PostgresOutboxSql.READ.replace(
                "{holds}", holds.isEmpty() ? PostgresOutboxSql.NO_HOLDS : PostgresOutboxSql.HOLDS);
        try (PreparedStatement statement = connection.prepareStatement(schema.in(query))) {
            SqlArrays parameters = new SqlArrays(connection, statement)
                    .leases(leases)
                    .array("int8", leases, lease -> floors.of(lease.shard()));
            if (!holds.isEmpty())
                parameters
                        .array("int8", holds.positions(), it -> it)
                        .array("text", holds.keys(), OrderedKey::topic)
                        .array("text", holds.keys(), OrderedKey::key);
            parameters.number(perShard);
            statement.execute();
            statement.getMoreResults();
            Map<ShardLease, List<OutboxRow>> read = new LinkedHashMap<>();
            long horizon = 0;
            try (ResultSet row = statement.getResultSet()) {
                while (row.next()) {
                    if (!floors.isKnown(source(row))) return null;
                    horizon = row.getLong("horizon");
                    List<OutboxRow> shard = read.computeIfAbsent(
                            new ShardLease(row.getInt("shard"), row.getLong("epoch")), it -> new ArrayList<>());
                    if (row.getString("message_id") != null) shard.add(PostgresRows.read(row));
                }
            }
            if (holds.isEmpty()) raise(read, horizon);
            return read;
        }
    }

    private void raise(Map<ShardLease, List<OutboxRow>> read, long horizon) {
        read.forEach((lease, rows) -> floors.sawAll(
                lease.shard(), horizon, rows.isEmpty() ? null : rows.getFirst().position()));
    }

    private static Source source(ResultSet row) throws SQLException {
        return new Source(row.getString("server"), row.getLong("incarnation"));
    }
}
