package dev.semel.messaging.tables;

import dev.semel.messaging.tables.OutboxStatus.Blocker;
import dev.semel.messaging.tables.OutboxStatus.Shard;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads how the outbox is doing. */
final class MariaDbOutboxStatus {
    /** A transaction that has been open for so long is worth a word. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private static final int ACCESS_DENIED = 1227;

    private static final String FIRSTS = IntStream.range(0, MariaDbShards.COUNT)
            .mapToObj(shard -> "(select appended_at from semel_outbox force index (primary) where shard = " + shard
                    + " order by id limit 1)")
            .collect(Collectors.joining(" union all "));

    private static final String STATUS = "select (select count(*) from (select 1 from semel_outbox limit "
            + OutboxStatus.COUNTED + ") as counted) as waiting, (select " + MariaDbStatement.NOW
            + " - min(appended_at) from (" + FIRSTS + ") as first) as oldest,"
            + " (select count(*) from semel_parked_key) as parked,"
            + " (select count(*) from (select 1 from semel_dead_letter limit " + OutboxStatus.COUNTED
            + ") as counted) as dead";

    private static final String SHARDS = "select shard, epoch, relay, greatest(0, leased_until - "
            + MariaDbStatement.NOW + ") as left_over from semel_relay_shard order by shard";

    /** The oldest transaction of the server, also one that only reads: what it may still look at is not cleaned up. */
    private static final String BLOCKER = """
        select trx_mysql_thread_id as connection, trx_state as state,
            timestampdiff(second, trx_started, convert_tz(utc_timestamp(), '+00:00', 'SYSTEM')) as seconds
        from information_schema.innodb_trx where trx_mysql_thread_id <> connection_id()
        order by trx_started limit 1
        """;

    private MariaDbOutboxStatus() {}

    static OutboxStatus read(Connection connection) throws SQLException {
        List<Shard> shards = new MariaDbStatement(SHARDS)
                .query(
                        connection,
                        row -> new Shard(
                                row.getInt("shard"),
                                row.getLong("epoch"),
                                MariaDbStatement.text(row, "relay"),
                                micros(row.getLong("left_over"))));
        Blocker blocker = blocker(connection);
        return new MariaDbStatement(STATUS)
                .query(connection, row -> {
                    long oldest = row.getLong("oldest");
                    return new OutboxStatus(
                            row.getLong("waiting"),
                            row.wasNull() ? null : micros(Math.max(0, oldest)),
                            row.getLong("parked"),
                            row.getLong("dead"),
                            shards,
                            blocker);
                })
                .getFirst();
    }

    /** Null also when the user may not know: it needs the right PROCESS. */
    private static @Nullable Blocker blocker(Connection connection) throws SQLException {
        try {
            return new MariaDbStatement(BLOCKER)
                            .query(
                                    connection,
                                    row -> new Blocker(
                                            "connection " + row.getLong("connection") + " (" + row.getString("state")
                                                    + ")",
                                            Duration.ofSeconds(row.getLong("seconds"))))
                            .stream()
                            .filter(oldest -> oldest.since().compareTo(LONG) > 0)
                            .findFirst()
                            .orElse(null);
        } catch (SQLException e) {
            if (e.getErrorCode() == ACCESS_DENIED) return null;
            throw e;
        }
    }

    private static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }
}
