package dev.semel.messaging.tables;

import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads each shard from its beginning. There is no floor below which nothing is looked for: MariaDB does not tell which transactions
 * have drawn a number and not committed.
 *
 * <p>A commit can be seen here before it is on disk: what is sent then would tell of something that a crash undoes. So whoever has
 * read something writes a row before it is sent: a commit puts all that was committed before it on disk.
 */
final class MariaDbOutboxReader implements OutboxReader {
    @Override
    public Map<ShardLease, List<OutboxRow>> read(
            Connection connection, Collection<ShardLease> leases, Holds holds, int perShard) throws SQLException {
        if (leases.isEmpty()) return Map.of();
        Map<ShardLease, List<OutboxRow>> read = new LinkedHashMap<>();
        statement(leases, holds, perShard).query(connection, row -> {
            List<OutboxRow> shard = read.computeIfAbsent(
                    new ShardLease(row.getInt("shard"), row.getLong("epoch")), it -> new ArrayList<>());
            if (row.getBytes("message_id") != null) shard.add(MariaDbRows.read(row));
            return shard;
        });
        read.values().forEach(rows -> rows.sort(Comparator.comparingLong(OutboxRow::position)));
        Integer any = firstShardWithRows(read);
        if (any != null)
            MariaDbTransaction.update(
                    connection,
                    new MariaDbStatement("update semel_relay_flush set flushes = flushes + 1 where shard = ?", any));
        return read;
    }

    private static @Nullable Integer firstShardWithRows(Map<ShardLease, List<OutboxRow>> read) {
        return read.entrySet().stream()
                .filter(shard -> !shard.getValue().isEmpty())
                .map(shard -> shard.getKey().shard())
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** One statement, so one snapshot: of a lease that is not the newest any more nothing is read. */
    private static MariaDbStatement statement(Collection<ShardLease> leases, Holds holds, int perShard) {
        Map<Integer, List<OrderedKey>> held = new HashMap<>();
        for (OrderedKey key : holds.keys())
            held.computeIfAbsent(MariaDbShards.of(key.key()), it -> new ArrayList<>())
                    .add(key);
        MariaDbStatement statement = new MariaDbStatement(MariaDbOutboxSql.NEWEST + MariaDbOutboxSql.are(leases));
        for (ShardLease lease : leases) {
            statement.add(MariaDbOutboxSql.WAITING + MariaDbOutboxSql.is(lease));
            if (!holds.positions().isEmpty())
                statement.add(" and waiting.id not in ").list(holds.positions());
            for (OrderedKey key : held.getOrDefault(lease.shard(), List.of()))
                statement.add(" and not (waiting.topic = ? and waiting.message_key <=> ?)", key.topic(), key.key());
            statement.add(" order by waiting.id limit " + perShard + ")");
        }
        return statement;
    }
}
