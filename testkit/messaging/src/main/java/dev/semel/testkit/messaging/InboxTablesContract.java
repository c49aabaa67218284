package dev.semel.testkit.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The laws of an inbox in a database. */
public abstract class InboxTablesContract extends MessagingDatabaseScene {
    private static final Duration DAY = Duration.ofDays(1);

    private Inbox inbox;

    @BeforeEach
    final void openInbox() throws SQLException {
        inbox = Inbox.open(database(), new InboxWindow(DAY));
    }

    /** Statements by which an effect ends its transaction without an exception that goes further. */
    protected abstract List<String> endings();

    protected final Inbox inbox() {
        return inbox;
    }

    @Test
    void a_message_takes_effect_once_for_each_consumer() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        String id = UUID.randomUUID().toString();
        for (int i = 0; i < 3; i++)
            try (Connection connection = transaction()) {
                assertEquals(i == 0, inbox.once(connection, "billing", id, effects::incrementAndGet));
                connection.commit();
            }
        try (Connection connection = transaction()) {
            assertTrue(inbox.once(connection, "mail", id, effects::incrementAndGet));
        }
        assertEquals(2, effects.get());
    }

    @Test
    void a_message_whose_effect_was_rolled_back_was_not_received() throws Exception {
        try (Connection connection = transaction()) {
            assertTrue(inbox.firstTime(connection, "billing", "m"));
            connection.rollback();
            assertTrue(inbox.firstTime(connection, "billing", "m"));
            connection.commit();
            assertFalse(inbox.firstTime(connection, "billing", "m"));
        }
    }

    @Test
    void an_effect_that_swallowed_a_failure_or_ended_its_transaction_is_told_so() throws Exception {
        for (String bad : endings())
            try (Connection connection = transaction();
                    Statement statement = connection.createStatement()) {
                assertThrows(
                        IllegalStateException.class,
                        () -> inbox.once(connection, "billing", "m", () -> {
                            try {
                                statement.execute(bad);
                            } catch (SQLException e) {
                                // As if nothing had happened.
                            }
                        }),
                        bad);
                connection.rollback();
                assertTrue(inbox.firstTime(connection, "billing", "m"));
            }
    }

    @Test
    void a_duplicate_waits_for_the_first_and_takes_its_place_if_it_fails() throws Exception {
        for (boolean commits : List.of(true, false))
            try (Connection first = transaction()) {
                String id = "m-" + commits;
                assertTrue(inbox.firstTime(first, "billing", id));
                CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> inOwnTransaction(id));
                awaitLockWait();
                if (commits) first.commit();
                else first.rollback();
                assertEquals(!commits, second.get());
            }
    }

    @Test
    void many_at_once_with_duplicates_among_them() throws Exception {
        try (Connection connection = transaction()) {
            assertEquals(Set.of("a", "b"), inbox.firstTimes(connection, "billing", List.of("a", "b", "a")));
            connection.commit();
            assertEquals(Set.of("c"), inbox.firstTimes(connection, "billing", List.of("a", "c", "b", "c")));
            assertEquals(Set.of(), inbox.firstTimes(connection, "billing", List.of("a", "c", "b", "c")));
        }
    }

    @Test
    void ids_live_as_long_as_the_window_and_no_longer_than_two() throws Exception {
        assertTrue(inOwnTransaction("first"));
        assertFalse(inbox.expire());
        age(DAY.plusMinutes(1));
        assertTrue(inbox.expire(), "the tables change turns");
        assertFalse(inbox.expire(), "once");
        assertFalse(inOwnTransaction("first"), "still in the other table");
        assertTrue(inOwnTransaction("second"));
        age(DAY.plusMinutes(1));
        assertTrue(inbox.expire());
        assertFalse(inOwnTransaction("second"));
        assertTrue(inOwnTransaction("first"), "forgotten");
    }

    @Test
    void tables_do_not_change_turns_while_a_message_takes_effect() throws Exception {
        age(DAY.plusMinutes(1));
        try (Connection open = transaction()) {
            assertTrue(inbox.firstTime(open, "billing", "m"));
            assertFalse(inbox.expire());
            open.commit();
        }
        assertTrue(inbox.expire());
        assertFalse(inOwnTransaction("m"));
    }

    @Test
    void a_transaction_that_sees_the_past_is_not_told_that_a_duplicate_is_new() throws Exception {
        try (Connection past = transaction()) {
            past.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (var statement = past.createStatement()) {
                statement.execute("select * from " + table("messaging_schema"));
            }
            assertTrue(inOwnTransaction("m"));
            age(DAY.plusMinutes(1));
            assertTrue(inbox.expire());
            SQLException refused = assertThrows(SQLException.class, () -> inbox.firstTime(past, "billing", "m"));
            assertEquals("40001", refused.getSQLState(), refused::getMessage);
        }
    }

    @Test
    void of_many_threads_with_the_same_messages_each_takes_effect_once_also_while_tables_change_turns()
            throws Exception {
        long seed = Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
        List<CompletableFuture<Integer>> consumers = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++)
            consumers.add(CompletableFuture.supplyAsync(() -> {
                int first = 0;
                for (int i = 0; i < 200; i++) if (inOwnTransaction("m" + i)) first++;
                return first;
            }));
        int turns = 0;
        while (turns < 1) {
            age(DAY.plusMinutes(1));
            if (inbox.expire()) turns++;
        }
        int effects = 0;
        for (CompletableFuture<Integer> consumer : consumers) effects += consumer.get();
        assertEquals(200, effects, "-Dsemel.seed=" + seed);
    }

    @Test
    void bad_input_is_refused_and_hurts_no_transaction() throws Exception {
        try (Connection connection = transaction()) {
            assertThrows(IllegalArgumentException.class, () -> inbox.firstTime(connection, "", "m"));
            assertThrows(IllegalArgumentException.class, () -> inbox.firstTime(connection, "c", ""));
            assertThrows(IllegalArgumentException.class, () -> inbox.firstTime(connection, "c", "m".repeat(1025)));
            assertTrue(inbox.firstTime(connection, "c", "m".repeat(1024)));
            connection.commit();
            connection.setAutoCommit(true);
            assertThrows(IllegalStateException.class, () -> inbox.firstTime(connection, "c", "m"));
        }
    }

    @Test
    void ids_and_consumers_are_the_same_only_byte_for_byte() throws Exception {
        try (Connection connection = transaction()) {
            List<String> ids = List.of("a", "A", "ä", "a ", "a\u0301", "Ａ", "\uD83D\uDE00", "\uD83D\uDE01");
            assertEquals(Set.copyOf(ids), inbox.firstTimes(connection, "billing", ids));
            assertEquals(Set.copyOf(ids), inbox.firstTimes(connection, "Billing", ids));
            assertEquals(Set.of(), inbox.firstTimes(connection, "billing", ids));
            connection.commit();
        }
    }

    @Test
    void thousands_at_once_are_all_new_or_none() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3000; i++) ids.add("m" + i + "x".repeat(1000));
        try (Connection connection = transaction()) {
            assertEquals(3000, inbox.firstTimes(connection, "billing", ids).size());
            connection.commit();
            ids.add("another");
            assertEquals(Set.of("another"), inbox.firstTimes(connection, "billing", ids));
        }
    }

    /** Batches overlap, and some roll back while others wait for them: every effect is there once, and each batch gets through. */
    @Test
    void batches_that_overlap_take_effect_once_and_hold_each_other_up_only_for_a_while() throws Exception {
        long seed = Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
        AtomicIntegerArray effects = new AtomicIntegerArray(40);
        AtomicInteger refused = new AtomicInteger();
        List<CompletableFuture<Void>> consumers = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            Random random = new Random(seed + thread);
            consumers.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 40; i++) {
                    List<String> batch = new ArrayList<>();
                    for (int id = 0; id < 40; id++) if (random.nextInt(3) == 0) batch.add("m" + id);
                    boolean commits = random.nextBoolean();
                    long pause = random.nextInt(2_000_000);
                    while (!attempt(batch, commits, pause, effects)) refused.incrementAndGet();
                }
            }));
        }
        for (CompletableFuture<Void> consumer : consumers) consumer.get();
        for (int id = 0; id < 40; id++) assertEquals(1, effects.get(id), "m" + id + ", -Dsemel.seed=" + seed);
        assertTrue(refused.get() <= mostRefused(), refused + " transactions were refused, -Dsemel.seed=" + seed);
    }

    /** How many of 240 transactions of that test may fail for the sake of others. */
    protected int mostRefused() {
        return 0;
    }

    /** @return whether the database let it through */
    private boolean attempt(List<String> batch, boolean commits, long pause, AtomicIntegerArray effects) {
        try (Connection connection = transaction()) {
            try {
                Set<String> firsts = inbox.firstTimes(connection, "billing", batch);
                LockSupport.parkNanos(pause);
                if (commits) connection.commit();
                else connection.rollback();
                if (commits) firsts.forEach(id -> effects.incrementAndGet(Integer.parseInt(id.substring(1))));
                return true;
            } catch (SQLException e) {
                connection.rollback();
                if (!String.valueOf(e.getSQLState()).startsWith("40")) throw new IllegalStateException(e);
                return false;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean inOwnTransaction(String id) {
        try (Connection connection = transaction()) {
            boolean first = inbox.firstTime(connection, "billing", id);
            connection.commit();
            return first;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void age(Duration by) throws SQLException {
        try (Connection connection = database().getConnection()) {
            ageInbox(connection, by);
        }
    }
}
