package dev.semel.messaging.tables;

import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OrderedKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The outbox in a database: what differs between databases. It decides nothing; the relay does. Safe for use by any thread.
 *
 * <p>Every call but {@link #append} is made on a connection in auto-commit mode, is one transaction, and is bounded. What a relay
 * changes it changes only while the leases that it names are the newest of their shards. The laws are checked by
 * {@code OutboxTablesContract} in the testkit.
 */
public interface OutboxTables {

    /** Makes the tables, or brings them up to date; processes that start at once wait for each other. */
    void migrate(DataSource database) throws SQLException;

    /** What {@link #migrate} would do, as SQL; empty when nothing is missing. */
    String missing(DataSource database) throws SQLException;

    /** Into how many shards the tables divide their messages. */
    int shards(Connection connection) throws SQLException;

    /** Writes these messages in this order, as a part of the caller's transaction, in one statement. */
    void append(Connection transaction, List<UUID> ids, List<Message> messages) throws SQLException;

    /** A way to read for one relay, which remembers how far there is nothing left. Not for use by two threads. */
    OutboxReader reader();

    /**
     * Deletes what the broker has. A row that is not there any more is no error.
     *
     * @return the leases that still are the newest; of the other shards nothing was deleted
     */
    Set<ShardLease> deleteSent(Connection connection, Collection<ShardLease> leases, Collection<OutboxRow> sent)
            throws SQLException;

    /**
     * Moves messages to the dead letters, and marks their keys as parked. A message that only is behind another is moved
     * when its key is still parked, and else stays.
     *
     * @return as {@link #deleteSent}
     */
    Set<ShardLease> park(Connection connection, Collection<ShardLease> leases, Collection<ParkedRow> rows)
            throws SQLException;

    /** The dead letters, for operators, and for a relay that advances what they asked for. */
    LetterTables letters();

    /** Of each shard the dead letters that are to be sent again and have none of their key before them that is not; in order. */
    List<OutboxRow> dueLetters(Connection connection, Collection<ShardLease> leases, int most) throws SQLException;

    /**
     * Writes what became of dead letters that were sent again: those that the broker has are deleted, and keys without any left
     * are not parked any more. The others are not due any more, and with them what is behind them.
     *
     * @return as {@link #deleteSent}
     */
    Set<ShardLease> settleLetters(
            Connection connection,
            Collection<ShardLease> leases,
            Collection<OutboxRow> sent,
            Collection<ParkedRow> refused)
            throws SQLException;

    /**
     * Says that a relay is alive, renews its leases, gives some back, and takes shards that nobody has until it has its share of them.
     *
     * @param relay unique to this run of the relay
     * @param held its leases as it knows them
     * @param givenBack of these, those it gives up: nothing of them is being sent any more
     * @return what it holds now
     */
    LeaseRound renew(
            Connection connection,
            String relay,
            Collection<ShardLease> held,
            Collection<ShardLease> givenBack,
            Duration lease)
            throws SQLException;

    /** The relay is gone: its leases are free at once. */
    void leave(Connection connection, String relay) throws SQLException;

    /**
     * Tells relays of other processes that something was appended, where they listen. A hint that may be lost; never a part of the
     * transaction that appends, whose commit it would hold up.
     *
     * @return false when this database cannot
     */
    default boolean announce(Connection connection) throws SQLException {
        return false;
    }

    /** How the outbox is doing, for operators. Bounded, also when there are millions of messages. */
    OutboxStatus status(Connection connection) throws SQLException;

    /**
     * What a relay holds.
     *
     * @param held those that were renewed, and those that are new
     * @param share how many it should hold, as many relays as there are
     */
    record LeaseRound(List<ShardLease> held, int share) {}

    /**
     * A message as a relay reads it.
     *
     * @param position where it stands in its shard
     * @param behindParked whether its key is parked
     * @param attempts how often it was tried, for a dead letter
     */
    record OutboxRow(
            int shard,
            long position,
            boolean behindParked,
            int attempts,
            dev.semel.messaging.message.OutgoingMessage message) {}

    /**
     * A message that is not to be sent now.
     *
     * @param kind {@link #TAIL} for one that is only behind another
     */
    record ParkedRow(OutboxRow row, String kind, String error, int attempts) {
        /** The kind of a dead letter that nothing is wrong with. */
        public static final String TAIL = "tail";

        public boolean isTail() {
            return kind.equals(TAIL);
        }
    }

    /** What is left out of a read. */
    record Holds(Set<OrderedKey> keys, Set<Long> positions) {
        public static final Holds NONE = new Holds(Set.of(), Set.of());

        public boolean isEmpty() {
            return keys.isEmpty() && positions.isEmpty();
        }
    }
}
