package dev.semel.torture.messages;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.message.Message;
import dev.semel.torture.messages.check.Committed;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages in transactions of any length, of which some are rolled back, wholly or to a savepoint. Keys that it shares with
 * others it locks, in one order, so it is known in which order the messages of each are committed.
 */
final class Writer implements Runnable {
    private static final int ROLLED_BACK_PERCENT = 10;
    private static final int SAVEPOINT_PERCENT = 30;
    private static final int CALLS_PERCENT = 50;
    private static final int MOST_STEPS = 6;
    private static final int MOST_MESSAGES = 4;
    private static final long LONGEST_THOUGHT = 15_000_000;

    private final DataSource database;
    private final TestDatabase kind;
    private final Outbox outbox;
    private final String topic;
    private final List<String> keys;
    private final Counts counts;
    private final Random random;
    private final AtomicBoolean stop;
    private final BooleanSupplier waits;
    private final List<String> poison;

    /**
     * @param poison keys of which it writes, each once, a message that is too large; and many that are not
     * @param waits whether so much is under way that no more is written
     */
    Writer(
            DataSource database,
            TestDatabase kind,
            Outbox outbox,
            String topic,
            List<String> keys,
            List<String> poison,
            Counts counts,
            long seed,
            AtomicBoolean stop,
            BooleanSupplier waits) {
        this.database = database;
        this.kind = kind;
        this.outbox = outbox;
        this.topic = topic;
        this.keys = keys;
        this.poison = new ArrayList<>(poison);
        this.counts = counts;
        this.random = new Random(seed);
        this.stop = stop;
        this.waits = waits;
    }

    /** For all writers. */
    record Counts(LongAdder committed, LongAdder rolledBack, LongAdder called, LongAdder unknown) {
        static Counts zero() {
            return new Counts(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    @Override
    public void run() {
        while (!stop.get()) {
            if (waits.getAsBoolean()) {
                LockSupport.parkNanos(LONGEST_THOUGHT);
                continue;
            }
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                transaction(connection);
            } catch (SQLException e) {
                counts.unknown().increment();
                LockSupport.parkNanos(LONGEST_THOUGHT);
            }
        }
    }

    private void transaction(Connection connection) throws SQLException {
        List<Committed> written = new ArrayList<>();
        int steps = 1 + random.nextInt(MOST_STEPS);
        List<String> mine =
                random.ints(steps, 0, keys.size()).sorted().mapToObj(keys::get).toList();
        for (int step = 0; step < steps; step++) {
            String key = random.nextInt(10) == 0 ? null : mine.get(step);
            if (random.nextInt(100) < SAVEPOINT_PERCENT) inSavepoint(connection, key, written);
            else written.addAll(append(connection, key));
            if (random.nextInt(4) == 0) LockSupport.parkNanos(random.nextLong(LONGEST_THOUGHT));
        }
        boolean poisons = !poison.isEmpty() && random.nextInt(20) == 0;
        if (poisons)
            written.add(
                    append(connection, poison.getFirst(), 1, TestBroker.POISON).getFirst());
        Ledger.write(connection, written);
        if (random.nextInt(100) < ROLLED_BACK_PERCENT) {
            connection.rollback();
            counts.rolledBack().add(written.size());
        } else {
            connection.commit();
            outbox.committed();
            counts.committed().add(written.size());
            if (poisons) poison.removeFirst();
        }
    }

    private void inSavepoint(Connection connection, @Nullable String key, List<Committed> written) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        List<Committed> inside = append(connection, key);
        if (random.nextBoolean()) {
            connection.rollback(savepoint);
            counts.rolledBack().add(inside.size());
        } else {
            connection.releaseSavepoint(savepoint);
            written.addAll(inside);
        }
    }

    private List<Committed> append(Connection connection, @Nullable String key) throws SQLException {
        return append(connection, key, 1 + random.nextInt(MOST_MESSAGES), 20 + random.nextInt(400));
    }

    private List<Committed> append(Connection connection, @Nullable String key, int howMany, int length)
            throws SQLException {
        long before = key == null ? 0 : kind.draw(connection, key, howMany);
        List<Message> messages = new ArrayList<>();
        for (int i = 1; i <= howMany; i++) {
            Message message = Message.of(topic, "tortured", Payloads.of(key, before + i, length));
            messages.add(key == null ? message : message.withKey(key));
        }
        List<UUID> ids = ids(connection, messages, key);
        List<Committed> written = new ArrayList<>();
        for (int i = 0; i < howMany; i++) written.add(new Committed(ids.get(i).toString(), key, before + i + 1, false));
        return written;
    }

    private List<UUID> ids(Connection connection, List<Message> messages, @Nullable String key) throws SQLException {
        if (!kind.hasCalls() || random.nextInt(100) >= CALLS_PERCENT) return outbox.append(connection, messages);
        counts.called().add(messages.size());
        List<UUID> ids = new ArrayList<>();
        for (Message message : messages) ids.add(kind.call(connection, message.topic(), key, message.payload()));
        return ids;
    }
}
