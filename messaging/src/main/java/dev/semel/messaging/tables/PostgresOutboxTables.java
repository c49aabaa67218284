package dev.semel.messaging.tables;

import dev.semel.core.time.EngineTime;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The outbox in PostgreSQL 14 or later. Nothing is kept in a session, so a pool between, such as PgBouncer's, may share connections. */
public final class PostgresOutboxTables implements OutboxTables {
    /** So many relays at most can send at once. */
    public static final int SHARDS = 16;

    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private final EngineTime time;
    private final PostgresSchema schema;
    private final PostgresMessagingSchema tables;

    public PostgresOutboxTables() {
        this(PostgresSchema.USUAL);
    }

    public PostgresOutboxTables(PostgresSchema schema) {
        this(schema, EngineTime.SYSTEM);
    }

    private PostgresOutboxTables(PostgresSchema schema, EngineTime time) {
        this.time = time;
        this.schema = schema;
        this.tables = new PostgresMessagingSchema(schema, SHARDS);
    }

    @Override
    public void migrate(DataSource database) throws SQLException {
        tables.migrate(database);
    }

    @Override
    public String missing(DataSource database) throws SQLException {
        return tables.missing(database);
    }

    @Override
    public int shards(Connection connection) throws SQLException {
        return MessagingScripts.number(connection, schema.in("select semel.shard_count()"));
    }

    @Override
    public void append(Connection transaction, List<UUID> ids, List<Message> messages) throws SQLException {
        List<Integer> rows = IntStream.range(0, messages.size()).boxed().toList();
        try (PreparedStatement statement = transaction.prepareStatement(schema.in(PostgresOutboxSql.APPEND))) {
            new SqlArrays(transaction, statement)
                    .array("uuid", ids, id -> id)
                    .array("text", messages, Message::topic)
                    .array("text", messages, Message::key)
                    .array("text", messages, Message::type)
                    .array("text", messages, message -> HeaderLines.format(message.headers()))
                    .bytes(rows.stream().map(row -> messages.get(row).payload()).toList());
            statement.executeUpdate();
        }
    }

    @Override
    public OutboxReader reader() {
        return new PostgresOutboxReader(schema, time);
    }

    @Override
    public Set<ShardLease> deleteSent(Connection connection, Collection<ShardLease> leases, Collection<OutboxRow> sent)
            throws SQLException {
        Map<Integer, List<OutboxRow>> shards = byShard(sent, row -> row);
        try (PreparedStatement statement =
                connection.prepareStatement(schema.in(PostgresOutboxSql.deleteSent(shards.size())))) {
            SqlArrays parameters = new SqlArrays(connection, statement).leases(leases);
            for (Map.Entry<Integer, List<OutboxRow>> shard : shards.entrySet())
                named(parameters, shard.getKey(), shard.getValue());
            return Set.copyOf(second(statement));
        }
    }

    @Override
    public Set<ShardLease> park(Connection connection, Collection<ShardLease> leases, Collection<ParkedRow> rows)
            throws SQLException {
        Map<Integer, List<ParkedRow>> shards = byShard(rows, ParkedRow::row);
        try (PreparedStatement statement =
                connection.prepareStatement(schema.in(PostgresOutboxSql.park(shards.size())))) {
            SqlArrays parameters = new SqlArrays(connection, statement)
                    .array("int4", leases, ShardLease::shard)
                    .leases(leases);
            refusals(parameters, rows);
            for (Map.Entry<Integer, List<ParkedRow>> shard : shards.entrySet()) {
                List<ParkedRow> parked = shard.getValue();
                named(
                                parameters,
                                shard.getKey(),
                                parked.stream().map(ParkedRow::row).toList())
                        .array(
                                "int8",
                                parked.stream().filter(ParkedRow::isTail).toList(),
                                row -> row.row().position());
            }
            return Set.copyOf(second(statement));
        }
    }

    /** By the ids of the messages too: after a fail-over to a copy that lags behind, a number may be another message's. */
    private static SqlArrays named(SqlArrays parameters, int shard, List<OutboxRow> rows) throws SQLException {
        return parameters
                .number(shard)
                .array("int8", rows, OutboxRow::position)
                .array("uuid", rows, row -> row.message().id());
    }

    private static <T> Map<Integer, List<T>> byShard(Collection<T> rows, Function<T, OutboxRow> row) {
        return rows.stream()
                .collect(Collectors.groupingBy(each -> row.apply(each).shard(), TreeMap::new, Collectors.toList()));
    }

    @Override
    public LetterTables letters() {
        return new PostgresLetterTables(schema);
    }

    @Override
    public List<OutboxRow> dueLetters(Connection connection, Collection<ShardLease> leases, int most)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.DUE_LETTERS))) {
            new SqlArrays(connection, statement).leases(leases).number(most);
            List<OutboxRow> letters = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) letters.add(PostgresRows.letter(row));
            }
            return letters;
        }
    }

    @Override
    public Set<ShardLease> settleLetters(
            Connection connection,
            Collection<ShardLease> leases,
            Collection<OutboxRow> sent,
            Collection<ParkedRow> refused)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.SETTLE_LETTERS))) {
            SqlArrays parameters = new SqlArrays(connection, statement).leases(leases);
            refusals(parameters, refused).array("int8", sent, OutboxRow::position);
            return Set.copyOf(leases(statement));
        }
    }

    private static SqlArrays refusals(SqlArrays parameters, Collection<ParkedRow> rows) throws SQLException {
        return parameters
                .array("int4", rows, row -> row.row().shard())
                .array("int8", rows, row -> row.row().position())
                .array("text", rows, ParkedRow::kind)
                .array("text", rows, ParkedRow::error)
                .array("int4", rows, ParkedRow::attempts);
    }

    @Override
    public LeaseRound renew(
            Connection connection,
            String relay,
            Collection<ShardLease> held,
            Collection<ShardLease> givenBack,
            Duration lease)
            throws SQLException {
        update(connection, PostgresOutboxSql.SEEN, parameters -> parameters.text(relay));
        if (!givenBack.isEmpty())
            update(connection, PostgresOutboxSql.GIVE_BACK, parameters -> parameters.leases(givenBack));
        Set<ShardLease> kept = new HashSet<>(held);
        kept.removeAll(givenBack);
        List<ShardLease> mine = new ArrayList<>();
        if (!kept.isEmpty())
            try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.RENEW))) {
                new SqlArrays(connection, statement).leases(kept).number(lease.toMillis());
                mine.addAll(leases(statement));
            }
        int share = share(connection, lease);
        if (mine.size() < share)
            try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.TAKE))) {
                new SqlArrays(connection, statement)
                        .text(relay)
                        .number(lease.toMillis())
                        .number(share - mine.size());
                mine.addAll(leases(statement));
            }
        return new LeaseRound(mine, share);
    }

    /** A relay that has not been seen for a lease counts as gone: its leases are over too. */
    private int share(Connection connection, Duration lease) throws SQLException {
        update(connection, PostgresOutboxSql.FORGET_RELAYS, parameters -> parameters.number(FORGOTTEN.toMillis()));
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresOutboxSql.SHARE))) {
            new SqlArrays(connection, statement).number(lease.toMillis());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Override
    public void leave(Connection connection, String relay) throws SQLException {
        update(
                connection,
                PostgresOutboxSql.LEAVE,
                parameters -> parameters.text(relay).text(relay));
    }

    @Override
    public boolean announce(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute("select pg_notify('semel_outbox', '')");
        }
    }

    @Override
    public OutboxStatus status(Connection connection) throws SQLException {
        return PostgresOutboxStatus.read(connection, schema);
    }

    private interface Filling {
        void into(SqlArrays parameters) throws SQLException;
    }

    private void update(Connection connection, String sql, Filling filling) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(sql))) {
            filling.into(new SqlArrays(connection, statement));
            statement.executeUpdate();
        }
    }

    private static List<ShardLease> leases(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return leases(rows);
        }
    }

    /** Those that the second of two statements gives. */
    private static List<ShardLease> second(PreparedStatement statements) throws SQLException {
        statements.execute();
        statements.getMoreResults();
        try (ResultSet rows = statements.getResultSet()) {
            return leases(rows);
        }
    }

    private static List<ShardLease> leases(ResultSet rows) throws SQLException {
        List<ShardLease> leases = new ArrayList<>();
        while (rows.next()) leases.add(new ShardLease(rows.getInt("shard"), rows.getLong("epoch")));
        return leases;
    }
}
