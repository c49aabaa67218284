package dev.semel.messaging.tables;

import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.tables.MariaDbStatement.Json;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * The outbox in MariaDB 10.6, MySQL 8.0, or later. That a row is there means that its message waits: it is deleted when the broker
 * has it.
 */
public final class MariaDbOutboxTables implements OutboxTables {
    private static final Duration FORGOTTEN = Duration.ofHours(1);
    private static final int MOST_ROWS = 1000;

    /** How many bytes go in a statement, each of which may need two. */
    private static final int MOST_BYTES = MariaDbMessagingSchema.PACKET / 2 - 64 * 1024;

    private final MariaDbMessagingSchema schema = new MariaDbMessagingSchema(MariaDbShards.COUNT);

    @Override
    public void migrate(DataSource database) throws SQLException {
        schema.migrate(database);
    }

    @Override
    public String missing(DataSource database) throws SQLException {
        return schema.missing(database);
    }

    @Override
    public int shards(Connection connection) throws SQLException {
        return MessagingScripts.number(connection, "select count(*) from semel_relay_shard");
    }

    @Override
    public void append(Connection transaction, List<UUID> ids, List<Message> messages) throws SQLException {
        List<Integer> rows = IntStream.range(0, messages.size()).boxed().toList();
        for (List<Integer> some : MariaDbBatches.of(rows, MOST_ROWS, MOST_BYTES, row -> bytes(messages.get(row)))) {
            MariaDbStatement statement = new MariaDbStatement(MariaDbOutboxSql.APPEND);
            for (int row : some) {
                Message message = messages.get(row);
                statement.add(
                        (row == some.getFirst() ? "" : ", ") + MariaDbOutboxSql.APPENDED,
                        MariaDbShards.of(message.key(), ids.get(row)),
                        ids.get(row),
                        message.topic(),
                        message.key(),
                        message.type(),
                        HeaderLines.format(message.headers()),
                        message.payload());
            }
            statement.update(transaction);
        }
    }

    private static int bytes(Message message) {
        int headers = message.headers().entrySet().stream()
                .mapToInt(header -> header.getKey().length() + header.getValue().length() * 3)
                .sum();
        return message.payload().length + headers + 2048;
    }

    @Override
    public OutboxReader reader() {
        return new MariaDbOutboxReader();
    }

    @Override
    public Set<ShardLease> deleteSent(Connection connection, Collection<ShardLease> leases, Collection<OutboxRow> sent)
            throws SQLException {
        MariaDbTransaction.update(
                connection,
                new MariaDbStatement(
                        MariaDbOutboxSql.deleteSent(leases),
                        Json.of(sent.stream()
                                .map(row -> new long[] {row.shard(), row.position()})
                                .toList())));
        // A lease that is the newest afterwards was so before.
        return Set.copyOf(
                new MariaDbStatement(MariaDbOutboxSql.mine(leases)).query(connection, MariaDbOutboxTables::lease));
    }

    @Override
    public Set<ShardLease> park(Connection connection, Collection<ShardLease> leases, Collection<ParkedRow> rows)
            throws SQLException {
        return MariaDbTransaction.run(connection, transaction -> {
            Set<ShardLease> mine = lock(transaction, leases);
            List<ParkedRow> parked = of(mine, rows, row -> row.row().shard());
            for (List<ParkedRow> some : MariaDbBatches.of(parked, MOST_ROWS, MOST_BYTES, MariaDbParking::bytes)) {
                Json named = MariaDbParking.named(some);
                for (String sql :
                        List.of(MariaDbOutboxSql.BURY, MariaDbOutboxSql.PARK_KEYS, MariaDbOutboxSql.DELETE_BURIED))
                    new MariaDbStatement(sql, named).update(transaction);
            }
            return mine;
        });
    }

    /** Those that are the newest; until this transaction ends, nobody else can take their shards. */
    private static Set<ShardLease> lock(Connection transaction, Collection<ShardLease> leases) throws SQLException {
        return Set.copyOf(new MariaDbStatement(MariaDbOutboxSql.mine(leases) + " lock in share mode")
                .query(transaction, MariaDbOutboxTables::lease));
    }

    private static <T> List<T> of(Set<ShardLease> mine, Collection<T> rows, ToIntFunction<T> shard) {
        Set<Integer> shards = new HashSet<>();
        mine.forEach(lease -> shards.add(lease.shard()));
        return rows.stream()
                .filter(row -> shards.contains(shard.applyAsInt(row)))
                .toList();
    }

    @Override
    public LetterTables letters() {
        return new MariaDbLetterTables();
    }

    @Override
    public List<OutboxRow> dueLetters(Connection connection, Collection<ShardLease> leases, int most)
            throws SQLException {
        return new MariaDbStatement(MariaDbOutboxSql.dueLetters(leases, most)).query(connection, MariaDbRows::letter);
    }

    @Override
    public Set<ShardLease> settleLetters(
            Connection connection,
            Collection<ShardLease> leases,
            Collection<OutboxRow> sent,
            Collection<ParkedRow> refused)
            throws SQLException {
        return MariaDbTransaction.run(connection, transaction -> {
            Set<ShardLease> mine = lock(transaction, leases);
            for (ParkedRow letter : of(mine, refused, row -> row.row().shard())) stop(transaction, letter);
            List<OutboxRow> gone = of(mine, sent, OutboxRow::shard);
            new MariaDbStatement(
                            MariaDbOutboxSql.DELETE_LETTERS,
                            Json.of(gone.stream()
                                    .map(row -> new long[] {row.position()})
                                    .toList()))
                    .update(transaction);
            Set<MariaDbParking.ParkedKey> keys = new HashSet<>();
            for (OutboxRow row : gone) {
                MariaDbParking.ParkedKey key = MariaDbParking.parkedKey(row);
                if (key != null && keys.add(key)) key.release(transaction);
            }
            return mine;
        });
    }

    /** What was not taken is not due any more, and neither is anything else of its key. */
    private static void stop(Connection transaction, ParkedRow letter) throws SQLException {
        new MariaDbStatement(
                        MariaDbOutboxSql.STOP_LETTER,
                        MariaDbParking.kind(letter),
                        MariaDbParking.error(letter),
                        letter.attempts(),
                        letter.row().position())
                .update(transaction);
        String key = letter.row().message().key();
        if (key != null)
            new MariaDbStatement(
                            MariaDbOutboxSql.STOP_KEY, letter.row().message().topic(), key)
                    .update(transaction);
    }

    @Override
    public LeaseRound renew(
            Connection connection,
            String relay,
            Collection<ShardLease> held,
            Collection<ShardLease> givenBack,
            Duration lease)
            throws SQLException {
        update(connection, MariaDbOutboxSql.SEEN, relay);
        if (!givenBack.isEmpty()) update(connection, MariaDbOutboxSql.GIVE_BACK + MariaDbOutboxSql.are(givenBack));
        Set<ShardLease> kept = new HashSet<>(held);
        kept.removeAll(givenBack);
        List<ShardLease> mine = new ArrayList<>();
        if (!kept.isEmpty()) {
            update(connection, MariaDbOutboxSql.RENEW + MariaDbOutboxSql.are(kept), micros(lease));
            mine.addAll(
                    new MariaDbStatement(MariaDbOutboxSql.mine(kept)).query(connection, MariaDbOutboxTables::lease));
        }
        int share = share(connection, lease);
        if (mine.size() < share) mine.addAll(take(connection, relay, share - mine.size(), lease));
        return new LeaseRound(mine, share);
    }

    /** A relay that has not been seen for a lease counts as gone: its leases are over too. */
    private static int share(Connection connection, Duration lease) throws SQLException {
        update(connection, MariaDbOutboxSql.FORGET_RELAYS, micros(FORGOTTEN));
        long alive = new MariaDbStatement(MariaDbOutboxSql.ALIVE, micros(lease)).number(connection);
        return (int) Math.ceilDiv(MariaDbShards.COUNT, Math.max(1, alive));
    }

    private static List<ShardLease> take(Connection connection, String relay, int most, Duration lease)
            throws SQLException {
        return MariaDbTransaction.run(connection, transaction -> {
            List<Integer> free =
                    new MariaDbStatement(MariaDbOutboxSql.FREE, most).query(transaction, row -> row.getInt("shard"));
            if (free.isEmpty()) return List.of();
            new MariaDbStatement(MariaDbOutboxSql.TAKE, relay, micros(lease))
                    .list(free)
                    .update(transaction);
            return new MariaDbStatement("select shard, epoch from semel_relay_shard where shard in ")
                    .list(free)
                    .query(transaction, MariaDbOutboxTables::lease);
        });
    }

    @Override
    public void leave(Connection connection, String relay) throws SQLException {
        update(connection, MariaDbOutboxSql.LEAVE, relay);
        update(connection, MariaDbOutboxSql.FREE_ALL, relay);
    }

    @Override
    public OutboxStatus status(Connection connection) throws SQLException {
        return MariaDbOutboxStatus.read(connection);
    }

    private static void update(Connection connection, String sql, Object... values) throws SQLException {
        MariaDbTransaction.update(connection, new MariaDbStatement(sql, values));
    }

    private static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration);
    }

    private static ShardLease lease(ResultSet row) throws SQLException {
        return new ShardLease(row.getInt("shard"), row.getLong("epoch"));
    }
}
