package dev.semel.messaging.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The inbox in MariaDB and MySQL. A message that is there already is written over, not only looked at: that waits for whoever has it
 * in an open transaction, sees it whatever this transaction sees otherwise, and lets this one's commit put the other's on disk, for
 * its own may be acknowledged then.
 */
public final class MariaDbInboxTables implements InboxTables {
    /** Longer lists are read in another way, in which the server may look at all rows. */
    private static final int MOST_IDS = 900;

    private static final int MOST_BYTES = MariaDbMessagingSchema.PACKET / 2 - 64 * 1024;
    private static final int CHANGED_SINCE_READ = 1020;
    private static final int LOCK_WAIT_OVER = 1205;
    private static final int NO_TABLE = 1146;

    /** For locks of rows and of tables: whoever comes behind waits as long. */
    private static final String IMPATIENT = "set @semel_row_wait = @@session.innodb_lock_wait_timeout,"
            + " @semel_table_wait = @@session.lock_wait_timeout,"
            + " session innodb_lock_wait_timeout = 1, session lock_wait_timeout = 1";

    private static final String PATIENT = "set session innodb_lock_wait_timeout = @semel_row_wait,"
            + " session lock_wait_timeout = @semel_table_wait";

    private static final int NO_SAVEPOINT = 1305;

    /** Ends with the transaction, and when it returns to where it was before a message was received. */
    private static final String SAVEPOINT = "semel_inbox";

    private static final String TABLE = "semel_inbox_";

    private final MariaDbMessagingSchema schema = new MariaDbMessagingSchema(MariaDbShards.COUNT);

    @Override
    public void migrate(DataSource database) throws SQLException {
        schema.migrate(database);
    }

    @Override
    public Set<String> firstTimes(Connection transaction, String consumer, Collection<String> messageIds)
            throws SQLException {
        // Until this transaction ends, the tables do not change turns.
        long turn = turn(transaction);
        // Whoever wants several of the same takes them in the same order.
        List<byte[]> ids = distinct(messageIds).stream()
                .map(id -> id.getBytes(UTF_8))
                .sorted(Arrays::compareUnsigned)
                .toList();
        List<List<byte[]>> batches = MariaDbBatches.of(ids, MOST_IDS, MOST_BYTES, id -> id.length + consumer.length());
        MariaDbTransaction.execute(transaction, "savepoint " + SAVEPOINT);
        try {
            Set<String> firsts = new HashSet<>();
            for (List<byte[]> some : batches) firsts.addAll(firstTimes(transaction, turn, consumer, some));
            return firsts;
        } catch (SQLException e) {
            // Otherwise some would count as received, should the caller commit in spite of it.
            undo(transaction, e);
            throw e;
        }
    }

    private static long turn(Connection transaction) throws SQLException {
        return new MariaDbStatement("select turn from semel_inbox_turn where one = 1 lock in share mode")
                .number(transaction);
    }

    private static Set<String> distinct(Collection<String> messageIds) {
        return new LinkedHashSet<>(messageIds);
    }

    private static void undo(Connection transaction, SQLException failure) {
        try {
            MariaDbTransaction.execute(transaction, "rollback to savepoint " + SAVEPOINT);
        } catch (SQLException e) {
            failure.addSuppressed(e); // it is gone with all the rest
        }
    }

    private static Set<String> firstTimes(Connection transaction, long turn, String consumer, List<byte[]> ids)
            throws SQLException {
        Set<String> former = former(transaction, turn, consumer, ids);
        List<byte[]> others =
                ids.stream().filter(id -> !former.contains(text(id))).toList();
        if (others.isEmpty()) return Set.of();
        MariaDbStatement insert =
                new MariaDbStatement("insert into " + TABLE + turn + " (consumer, message_id) values ");
        for (byte[] id : others) insert.add(id == others.getFirst() ? "(?, ?)" : ", (?, ?)", consumer, id);
        int counted = insert.add(" on duplicate key update times = times + 1").update(transaction);
        // A row that was there counts twice.
        if (counted == others.size()) return texts(others);
        return Set.copyOf(new MariaDbStatement(
                        "select message_id from " + TABLE + turn
                                + " where times = 0 and consumer = ? and message_id in ",
                        consumer)
                .list(others)
                .query(transaction, row -> text(row.getBytes(1))));
    }

    /** Those in the table of the turn before, in which nobody writes any more. */
    private static Set<String> former(Connection transaction, long turn, String consumer, List<byte[]> ids)
            throws SQLException {
        Set<String> found = new HashSet<>();
        List<Long> seen = new ArrayList<>();
        String table = TABLE + (turn - 1);
        new MariaDbStatement(
                        "select turn, null as message_id from semel_inbox_turn where one = 1"
                                + " union all select 0, message_id from " + table
                                + " where consumer = ? and message_id in ",
                        consumer)
                .list(ids)
                .query(transaction, row -> {
                    byte[] id = row.getBytes("message_id");
                    return id == null ? seen.add(row.getLong("turn")) : found.add(text(id));
                });
        if (!seen.equals(List.of(turn)))
            throw new SQLTransactionRollbackException(
                    "This transaction sees the database as it was before the inbox changed its tables, so it cannot"
                            + " tell whether the message came before. Roll it back and begin again.",
                    "40001",
                    CHANGED_SINCE_READ);
        for (String any : found.stream().limit(1).toList())
            new MariaDbStatement(
                            "update " + table + " set times = times + 1 where consumer = ? and message_id = ?",
                            consumer,
                            any)
                    .update(transaction);
        return found;
    }

    private static String text(byte[] id) {
        return new String(id, UTF_8);
    }

    private static Set<String> texts(List<byte[]> ids) {
        Set<String> texts = new HashSet<>();
        ids.forEach(id -> texts.add(text(id)));
        return texts;
    }

    /**
     * A deadlock that the effect keeps to itself has rolled back the whole transaction, and what follows is another one: the savepoint
     * is gone then. That the message is there says little alone, for another consumer may have received it meanwhile.
     */
    @Override
    public boolean isNoted(Connection transaction, String consumer, String messageId) throws SQLException {
        try {
            MariaDbTransaction.execute(transaction, "release savepoint " + SAVEPOINT);
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SAVEPOINT) return false;
            throw e;
        }
        MariaDbTransaction.execute(transaction, "savepoint " + SAVEPOINT);
        String noted = "select count(*) from " + TABLE + turn(transaction) + " where consumer = ? and message_id = ?";
        return new MariaDbStatement(noted, consumer, messageId).number(transaction) > 0;
    }

    @Override
    public boolean expire(Connection connection, Duration keep) throws SQLException {
        long turn = due(connection, keep, "");
        if (turn < 0) return false;
        MariaDbTransaction.execute(connection, IMPATIENT);
        try {
            MariaDbTransaction.execute(
                    connection, "create table if not exists " + TABLE + (turn + 1) + " like " + TABLE + turn);
            if (!MariaDbTransaction.run(connection, transaction -> turn(transaction, keep, turn))) return false;
            dropBefore(connection, turn);
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == LOCK_WAIT_OVER || e.getErrorCode() == NO_TABLE) return false;
            throw e;
        } finally {
            MariaDbTransaction.execute(connection, PATIENT);
        }
    }

    /** @return the turn that is over; -1 when it is not */
    private static long due(Connection connection, Duration keep, String lock) throws SQLException {
        return new MariaDbStatement(
                        "select turn from semel_inbox_turn where one = 1 and began_at <= " + MariaDbStatement.NOW
                                + " - ?" + lock,
                        TimeUnit.MICROSECONDS.convert(keep))
                .query(connection, row -> row.getLong(1)).stream().findFirst().orElse(-1L);
    }

    /** Nobody who receives messages has a transaction open when this gets the lock. */
    private static boolean turn(Connection transaction, Duration keep, long turn) throws SQLException {
        if (due(transaction, keep, " for update") != turn) return false;
        new MariaDbStatement(
                        "update semel_inbox_turn set turn = ?, began_at = " + MariaDbStatement.NOW + " where one = 1",
                        turn + 1)
                .update(transaction);
        return true;
    }

    /** Those that nobody looks into any more, also what an earlier call was cut off at. */
    private static void dropBefore(Connection connection, long turn) throws SQLException {
        List<String> tables = new MariaDbStatement("select table_name from information_schema.tables"
                        + " where table_schema = database() and table_name regexp '^semel_inbox_[0-9]+$'")
                .query(connection, row -> row.getString(1));
        List<Long> old = tables.stream()
                .map(table -> Long.parseLong(table.substring(TABLE.length())))
                .filter(it -> it < turn)
                .sorted(Comparator.naturalOrder())
                .toList();
        try {
            for (long it : old) MariaDbTransaction.execute(connection, "drop table if exists " + TABLE + it);
        } catch (SQLException e) {
            // Somebody has an old transaction open that has read there: another time, then.
            if (e.getErrorCode() != LOCK_WAIT_OVER) throw e;
        }
    }
}
