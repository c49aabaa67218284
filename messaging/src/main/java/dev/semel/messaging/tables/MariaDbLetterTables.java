package dev.semel.messaging.tables;

import dev.semel.messaging.letter.DeadLetter;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dead letters in MariaDB and MySQL. */
public final class MariaDbLetterTables implements LetterTables {
    @Override
    public List<DeadLetter> list(Connection connection, LetterFilter filter, long after, int most) throws SQLException {
        MariaDbStatement statement = new MariaDbStatement(
                "select " + MariaDbLetterSql.COLUMNS
                        + ", '' as payload from semel_dead_letter as letter where letter.id > ?",
                after);
        return matching(statement, filter)
                .add(" order by letter.id limit ?", most)
                .query(connection, MariaDbLetterTables::letter);
    }

    @Override
    public @Nullable DeadLetter find(Connection connection, UUID messageId) throws SQLException {
        List<DeadLetter> found = new MariaDbStatement(
                        "select " + MariaDbLetterSql.COLUMNS
                                + ", letter.payload from semel_dead_letter as letter where letter.message_id = ?",
                        messageId)
                .query(connection, MariaDbLetterTables::letter);
        return found.isEmpty() ? null : found.getFirst();
    }

    private static DeadLetter letter(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("id"),
                MariaDbRows.required(MariaDbStatement.instant(row, "parked_at")),
                row.getInt("attempts"),
                row.getBoolean("due"),
                MariaDbRows.required(MariaDbStatement.text(row, "kind")),
                MariaDbRows.required(MariaDbStatement.text(row, "error")),
                row.getInt("payload_bytes"),
                MariaDbRows.message(row));
    }

    /** Only what is asked: each as a condition more. */
    private static MariaDbStatement matching(MariaDbStatement statement, LetterFilter filter) {
        if (filter.topic() != null) statement.add(" and letter.topic = ?", filter.topic());
        if (filter.key() != null) statement.add(" and letter.message_key = ?", filter.key());
        if (filter.type() != null) statement.add(" and letter.type = ?", filter.type());
        if (filter.kind() != null) statement.add(" and letter.kind = ?", filter.kind());
        if (filter.error() != null) statement.add(" and " + MariaDbLetterSql.ERROR_HAS, filter.error());
        if (filter.parkedAfter() != null) statement.add(" and letter.parked_at >= ?", filter.parkedAfter());
        if (filter.parkedBefore() != null) statement.add(" and letter.parked_at < ?", filter.parkedBefore());
        return statement;
    }

    /** The first letters of their keys that match and are not being sent. */
    private static MariaDbStatement heads(MariaDbStatement statement, LetterFilter filter) {
        return matching(
                statement.add(
                        "select letter.id, letter.topic, letter.message_key from semel_dead_letter as letter where"
                                + " letter.due = 0 and "
                                + MariaDbLetterSql.FIRST_OF_KEY),
                filter);
    }

    @Override
    public Count count(Connection connection, LetterFilter filter) throws SQLException {
        return heads(new MariaDbStatement("with heads as ("), filter)
                .add(") " + MariaDbLetterSql.KEYS_AND_LETTERS)
                .query(connection, row -> new Count(row.getLong("letters"), row.getLong("heads")))
                .getFirst();
    }

    @Override
    public long begin(Connection connection, LetterFilter filter, Redrive.Pace pace, String byWhom, String reason)
            throws SQLException {
        return MariaDbTransaction.run(connection, transaction -> {
            long redrive = new MariaDbStatement(
                            MariaDbLetterSql.BEGIN,
                            filter.topic(),
                            filter.key(),
                            filter.type(),
                            filter.kind(),
                            filter.error(),
                            filter.parkedAfter(),
                            filter.parkedBefore(),
                            pace.perSecond(),
                            pace.canary(),
                            byWhom,
                            reason)
                    .insert(transaction);
            audit(transaction, byWhom, "redrive", redrive, reason);
            return redrive;
        });
    }

    private static void audit(Connection transaction, String byWhom, String action, long redrive, String reason)
            throws SQLException {
        new MariaDbStatement(MariaDbLetterSql.AUDIT, byWhom, action, redrive, null, null, reason).update(transaction);
    }

    @Override
    public List<Redrive> redrives(Connection connection, int most) throws SQLException {
        return new MariaDbStatement(MariaDbLetterSql.REDRIVES, most).query(connection, MariaDbRedrives::read);
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
        return MariaDbTransaction.run(connection, transaction -> {
            alone(transaction);
            if (new MariaDbStatement(MariaDbLetterSql.MOVE, state, state, redrive)
                            .list(from)
                            .update(transaction)
                    == 0) return false;
            if (to != Redrive.State.RUNNING) new MariaDbStatement(MariaDbLetterSql.STOP, redrive).update(transaction);
            audit(transaction, byWhom, action, redrive, reason);
            return true;
        });
    }

    static void alone(Connection transaction) throws SQLException {
        new MariaDbStatement(MariaDbLetterSql.ALONE).query(transaction, row -> row.getInt("shard"));
    }

    /** What is being sent just now stays. */
    @Override
    public boolean drop(Connection connection, UUID messageId, String byWhom, String reason) throws SQLException {
        return MariaDbTransaction.run(connection, transaction -> {
            alone(transaction);
            List<OutboxTables.OutboxRow> letters = new MariaDbStatement(
                            "select shard, id, attempts, " + MariaDbRows.MESSAGE
                                    + " from semel_dead_letter where message_id = ? and due = 0 for update",
                            messageId)
                    .query(transaction, MariaDbRows::letter);
            if (letters.isEmpty()) return false;
            OutboxTables.OutboxRow letter = letters.getFirst();
            new MariaDbStatement("delete from semel_dead_letter where id = ?", letter.position()).update(transaction);
            MariaDbParking.ParkedKey key = MariaDbParking.parkedKey(letter);
            if (key != null) key.release(transaction);
            new MariaDbStatement(
                            MariaDbLetterSql.AUDIT,
                            byWhom,
                            "drop",
                            null,
                            messageId,
                            letter.message().topic(),
                            reason)
                    .update(transaction);
            return true;
        });
    }

    /** Looks first, and locks nothing where there is nothing to do. */
    @Override
    public int advance(Connection connection) throws SQLException {
        if (running(connection).isEmpty()) return 0;
        return MariaDbTransaction.run(connection, transaction -> {
            alone(transaction);
            int letters = 0;
            for (long redrive : running(transaction)) letters += advance(transaction, redrive);
            return letters;
        });
    }

    private static List<Long> running(Connection connection) throws SQLException {
        return new MariaDbStatement(MariaDbLetterSql.RUNNING).query(connection, row -> row.getLong("id"));
    }

    private static int advance(Connection transaction, long id) throws SQLException {
        Redrive redrive = new MariaDbStatement(MariaDbLetterSql.REDRIVE, id)
                .query(transaction, MariaDbRedrives::read)
                .getFirst();
        Redrive.Pace pace = redrive.pace();
        boolean canary = redrive.chosen() <= pace.canary() && pace.canary() > 0;
        if (canary && redrive.refused() > 0) {
            String note = "of the first letters " + redrive.refused() + " were refused again";
            return told(transaction, new MariaDbStatement(MariaDbLetterSql.PAUSE, note, id));
        }
        MariaDbStatement later = new MariaDbStatement(MariaDbLetterSql.CHOSEN, 0, id);
        if (canary && redrive.chosen() > 0 && redrive.open() > 0) return told(transaction, later);
        int most = canary && redrive.chosen() == 0 ? pace.canary() : Math.max(1, pace.perSecond() / 2);
        int chosen = choose(transaction, redrive, most);
        if (chosen == 0)
            told(transaction, redrive.open() == 0 ? new MariaDbStatement(MariaDbLetterSql.DONE, id) : later);
        return chosen;
    }

    private static int told(Connection transaction, MariaDbStatement statement) throws SQLException {
        statement.update(transaction);
        return 0;
    }

    /** @param key null for a letter that has none */
    private record Head(long id, byte[] topic, byte @Nullable [] key) {}

    private static int choose(Connection transaction, Redrive redrive, int most) throws SQLException {
        List<Head> heads = heads(new MariaDbStatement(""), redrive.filter())
                .add(" and not (letter.redrive <=> ?) order by letter.id limit ?", redrive.id(), most)
                .query(
                        transaction,
                        row -> new Head(row.getLong("id"), row.getBytes("topic"), row.getBytes("message_key")));
        int chosen = 0;
        for (Head head : heads) {
            MariaDbStatement choice = head.key() == null
                    ? new MariaDbStatement(MariaDbLetterSql.CHOOSE_ONE, redrive.id(), head.id())
                    : new MariaDbStatement(MariaDbLetterSql.CHOOSE_KEY, redrive.id(), head.topic(), head.key());
            chosen += choice.update(transaction);
        }
        if (chosen > 0) new MariaDbStatement(MariaDbLetterSql.CHOSEN, chosen, redrive.id()).update(transaction);
        return chosen;
    }
}
