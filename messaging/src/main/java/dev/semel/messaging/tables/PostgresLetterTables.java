package dev.semel.messaging.tables;

import dev.semel.messaging.letter.DeadLetter;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dead letters in PostgreSQL. */
public final class PostgresLetterTables implements LetterTables {
    private final PostgresSchema schema;

    public PostgresLetterTables() {
        this(PostgresSchema.USUAL);
    }

    PostgresLetterTables(PostgresSchema schema) {
        this.schema = schema;
    }

    @Override
    public List<DeadLetter> list(Connection connection, LetterFilter filter, long after, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.LIST))) {
            int next = filter(statement, filter);
            statement.setLong(next, after);
            statement.setInt(next + 1, most);
            List<DeadLetter> letters = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) letters.add(letter(row));
            }
            return letters;
        }
    }

    @Override
    public @Nullable DeadLetter find(Connection connection, UUID messageId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.FIND))) {
            statement.setObject(1, messageId);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? letter(row) : null;
            }
        }
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("id"),
                instant(row, "parked_at"),
                row.getInt("attempts"),
                row.getBoolean("due"),
                row.getString("kind"),
                row.getString("error"),
                row.getInt("payload_bytes"),
                PostgresRows.letter(row).message());
    }

    @Override
    public Count count(Connection connection, LetterFilter filter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.COUNT))) {
            filter(statement, filter);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Count(row.getLong("letters"), row.getLong("keys"));
            }
        }
    }

    @Override
    public long begin(Connection connection, LetterFilter filter, Redrive.Pace pace, String byWhom, String reason)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.BEGIN))) {
            int next = filter(statement, filter);
            statement.setInt(next, pace.perSecond());
            statement.setInt(next + 1, pace.canary());
            statement.setString(next + 2, byWhom);
            statement.setString(next + 3, reason);
            return number(statement);
        }
    }

    @Override
    public List<Redrive> redrives(Connection connection, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.REDRIVES))) {
            statement.setInt(1, most);
            List<Redrive> redrives = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) redrives.add(redrive(row));
            }
            return redrives;
        }
    }

    private static Redrive redrive(ResultSet row) throws SQLException {
        LetterFilter filter = new LetterFilter(
                row.getString("topic"),
                row.getString("key"),
                row.getString("type"),
                row.getString("kind"),
                row.getString("error"),
                instantOrNull(row, "parked_after"),
                instantOrNull(row, "parked_before"));
        return new Redrive(
                row.getLong("id"),
                Redrive.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                instant(row, "begun_at"),
                row.getString("by_whom"),
                row.getString("reason"),
                filter,
                new Redrive.Pace(row.getInt("per_second"), row.getInt("canary")),
                row.getLong("chosen"),
                row.getLong("open"),
                row.getLong("refused"),
                row.getString("note"));
    }

    @Override
    public boolean move(Connection connection, long redrive, Redrive.State to, String byWhom, String reason)
            throws SQLException {
        String state = to.name().toLowerCase(Locale.ROOT);
        List<String> from = switch (to) {
            case RUNNING -> List.of("paused");
            case PAUSED -> List.of("running");
            case CANCELLED -> List.of("running", "paused");
            case DONE -> throw new IllegalArgumentException("A redrive is done by itself, or cancelled.");
        };
        String action = switch (to) {
            case RUNNING -> "resume";
            case PAUSED -> "pause";
            default -> "cancel";
        };
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.MOVE))) {
            statement.setString(1, state);
            statement.setString(2, state);
            statement.setLong(3, redrive);
            statement.setArray(4, connection.createArrayOf("text", from.toArray()));
            statement.setString(5, byWhom);
            statement.setString(6, action);
            statement.setString(7, reason);
            return number(statement) > 0;
        }
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** In one transaction of several statements. */
    private static <T> T together(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.on(connection);
            connection.commit();
            return result;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** A message that is just being parked behind the letter must be seen: else it would be left behind without a parked key. */
    @Override
    public boolean drop(Connection connection, UUID messageId, String byWhom, String reason) throws SQLException {
        return together(connection, transaction -> {
            try (PreparedStatement lock = transaction.prepareStatement(schema.in(PostgresLetterSql.LOCK_SHARD))) {
                lock.setObject(1, messageId);
                lock.execute();
            }
            try (PreparedStatement statement = transaction.prepareStatement(schema.in(PostgresLetterSql.DROP))) {
                statement.setObject(1, messageId);
                statement.setString(2, byWhom);
                statement.setString(3, reason);
                return number(statement) > 0;
            }
        });
    }

    /** A redrive that runs, and how far it is. */
    private record Running(long id, int perSecond, int canary, long chosen, long open, long refused) {}

    @Override
    public int advance(Connection connection) throws SQLException {
        return together(connection, transaction -> {
            List<Running> running = running(transaction);
            if (running.isEmpty()) return 0;
            try (PreparedStatement lock = transaction.prepareStatement(schema.in(PostgresLetterSql.LOCK_SHARDS))) {
                lock.execute();
            }
            int letters = 0;
            for (Running redrive : running) letters += advance(transaction, redrive);
            return letters;
        });
    }

    private List<Running> running(Connection connection) throws SQLException {
        List<Running> running = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.RUNNING));
                ResultSet row = statement.executeQuery()) {
            while (row.next())
                running.add(new Running(
                        row.getLong("id"),
                        row.getInt("per_second"),
                        row.getInt("canary"),
                        row.getLong("chosen"),
                        row.getLong("open"),
                        row.getLong("refused")));
        }
        return running;
    }

    private int advance(Connection connection, Running redrive) throws SQLException {
        boolean canary = redrive.chosen() <= redrive.canary() && redrive.canary() > 0;
        if (canary && redrive.refused() > 0) {
            try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.PAUSE))) {
                statement.setString(1, "of the first letters " + redrive.refused() + " were refused again");
                statement.setLong(2, redrive.id());
                statement.executeUpdate();
            }
            return 0;
        }
        if (canary && redrive.chosen() > 0 && redrive.open() > 0)
            return told(connection, PostgresLetterSql.WAIT, redrive);
        int most = canary && redrive.chosen() == 0 ? redrive.canary() : Math.max(1, redrive.perSecond() / 2);
        int chosen = choose(connection, redrive, most);
        if (chosen == 0)
            told(connection, redrive.open() == 0 ? PostgresLetterSql.DONE : PostgresLetterSql.WAIT, redrive);
        return chosen;
    }

    private int told(Connection connection, String sql, Running redrive) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(sql))) {
            statement.setLong(1, redrive.id());
            statement.executeUpdate();
            return 0;
        }
    }

    private int choose(Connection connection, Running redrive, int most) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(schema.in(PostgresLetterSql.CHOOSE))) {
            statement.setLong(1, redrive.id());
            statement.setInt(2, most);
            return (int) number(statement);
        }
    }

    /** @return the number of the next parameter */
    private static int filter(PreparedStatement statement, LetterFilter filter) throws SQLException {
        statement.setString(1, filter.topic());
        statement.setString(2, filter.key());
        statement.setString(3, filter.type());
        statement.setString(4, filter.kind());
        statement.setString(5, filter.error());
        statement.setObject(6, offset(filter.parkedAfter()));
        statement.setObject(7, offset(filter.parkedBefore()));
        return 8;
    }

    private static @Nullable OffsetDateTime offset(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
