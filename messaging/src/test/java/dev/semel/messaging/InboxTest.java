package dev.semel.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedPostgres.class)
@Timeout(60)
class InboxTest {
    private static final Duration DAY = Duration.ofDays(1);

    private HikariDataSource database;
    private Inbox inbox;

    @BeforeEach
    void open() throws SQLException {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        inbox = Inbox.open(database, new InboxWindow(DAY));
    }

    @AfterEach
    void close() {
        database.close();
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
        for (String bad : List.of("select 1/0", "rollback; begin"))
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
        try (Connection open = transaction()) {
            assertTrue(inbox.firstTime(open, "billing", "m"));
            age(DAY.plusMinutes(1));
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
                statement.execute("select count(*) from semel.inbox_window");
            }
            assertTrue(inOwnTransaction("m"));
            age(DAY.plusMinutes(1));
            assertTrue(inbox.expire());
            SQLException refused = assertThrows(SQLException.class, () -> inbox.firstTime(past, "billing", "m"));
            assertEquals("40001", refused.getSQLState());
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
    void a_window_that_is_too_short_is_refused() {
        InboxWindow.Latest latest =
                new InboxWindow.Latest(Duration.ofHours(75), Duration.ofDays(7), Duration.ofDays(14));
        assertEquals(
                Duration.ofHours(75 + 21 * 24), InboxWindow.covering(latest).keep());
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> new InboxWindow(DAY).requireCovers(latest));
        assertTrue(refused.getMessage().contains("It would take effect again."), refused.getMessage());
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

    private Connection transaction() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void age(Duration by) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "update semel.inbox_window set began_at = began_at - interval '" + by.toSeconds() + " s'");
        }
    }

    private void awaitLockWait() throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement()) {
            while (true)
                try (var row = statement.executeQuery(
                        "select count(*) from pg_locks where not granted and locktype = 'transactionid'")) {
                    row.next();
                    if (row.getInt(1) > 0) return;
                }
        }
    }
}
