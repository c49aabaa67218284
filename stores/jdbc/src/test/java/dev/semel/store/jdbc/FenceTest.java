package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.store.jdbc.effect.Fence;
import dev.semel.store.jdbc.effect.Fence.Passed;
import dev.semel.store.jdbc.effect.Fence.Stale;
import dev.semel.store.jdbc.effect.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FenceTest extends OnEachPostgres {
    private final Fence fence = Fence.named("accounts");
    private Sql sql;

    @BeforeEach
    void makeTables() throws SQLException {
        String url = freshDatabase();
        open(url).close();
        sql = Sql.on(url);
        sql.execute("create table account (id text primary key, token bigint not null)");
    }

    private Connection begin() throws SQLException {
        Connection connection = sql.connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private Fence.Entry enterAndCommit(String resource, long token) throws SQLException {
        try (Connection connection = begin()) {
            Fence.Entry entry = fence.enter(connection, resource, token);
            connection.commit();
            return entry;
        }
    }

    @Test
    void only_growing_tokens_pass_and_the_same_one_again() throws SQLException {
        assertEquals(new Passed(), enterAndCommit("a", 5));
        assertEquals(new Passed(), enterAndCommit("a", 5));
        assertEquals(new Stale(5), enterAndCommit("a", 4));
        assertEquals(new Passed(), enterAndCommit("a", 7));
        assertEquals(new Stale(7), enterAndCommit("a", 5));
        assertEquals(new Passed(), enterAndCommit("b", 1), "another resource");
        assertEquals(new Passed(), enterAndCommit("a", Long.MAX_VALUE));
        assertEquals(new Stale(Long.MAX_VALUE), enterAndCommit("a", Long.MIN_VALUE));
        assertEquals(
                "accounts|a|" + Long.MAX_VALUE, sql.one("select fence, resource, token from semel_fence order by 2"));
    }

    @Test
    void fences_of_other_names_do_not_meet() throws SQLException {
        try (Connection connection = begin()) {
            assertEquals(new Passed(), fence.enter(connection, "a", 5));
            assertEquals(new Passed(), Fence.named("cards").enter(connection, "a", 4));
            connection.commit();
        }
    }

    @Test
    void what_is_rolled_back_has_not_passed() throws SQLException {
        try (Connection connection = begin()) {
            assertEquals(new Passed(), fence.enter(connection, "a", 9));
            connection.rollback();
        }
        assertEquals(new Passed(), enterAndCommit("a", 3));
    }

    @Test
    void a_stale_token_leaves_the_transaction_as_it_was() throws SQLException {
        enterAndCommit("a", 5);
        try (Connection connection = begin();
                Statement statement = connection.createStatement()) {
            StaleTokenException late = assertThrows(StaleTokenException.class, () -> fence.require(connection, "a", 4));
            assertEquals(5, late.lastToken());
            assertTrue(
                    late.getMessage().contains("Token 4 comes too late for 'a' of fence 'accounts'"),
                    late.getMessage());
            statement.execute("insert into account values ('other work', 0)");
            fence.require(connection, "a", 6);
            connection.commit();
        }
        assertEquals("1", sql.one("select count(*) from account"));
        assertEquals("6", sql.one("select token from semel_fence"));
    }

    @Test
    void one_who_waited_behind_a_higher_token_is_stale_and_behind_a_lower_one_passes() throws Exception {
        for (boolean higherFirst : List.of(true, false)) {
            String resource = "behind " + higherFirst;
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                    Connection first = begin()) {
                fence.enter(first, resource, higherFirst ? 2 : 1);
                Future<Fence.Entry> second = threads.submit(() -> enterAndCommit(resource, higherFirst ? 1 : 2));
                awaitWaiting();
                first.commit();
                assertEquals(higherFirst ? new Stale(2) : new Passed(), second.get());
            }
        }
    }

    private void awaitWaiting() throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (sql.one("select count(*) from pg_stat_activity where datname = current_database()"
                        + " and wait_event_type = 'Lock'")
                .equals("0")) {
            assertTrue(System.nanoTime() < deadline, "nobody waits");
            Thread.onSpinWait();
        }
    }

    /** The account is written without looking: only the fence keeps what is late from it. */
    @Test
    void many_at_once_never_write_backwards() throws Exception {
        long seed = System.nanoTime();
        List<Integer> tokens =
                new ArrayList<>(IntStream.rangeClosed(1, 64).boxed().toList());
        Collections.shuffle(tokens, new Random(seed));
        List<String> history = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Future<?>> writers = new ArrayList<>();
            for (int token : tokens)
                writers.add(threads.submit(() -> {
                    try (Connection connection = begin()) {
                        if (fence.enter(connection, "a", token) instanceof Passed) {
                            write(connection, token);
                            history.add("" + token);
                        }
                        connection.commit();
                    }
                    return null;
                }));
            for (Future<?> writer : writers) writer.get();
        }
        assertEquals("64", sql.one("select token from account"), "seed " + seed);
        List<Integer> written = history.stream().map(Integer::valueOf).toList();
        assertEquals(written.stream().sorted().toList(), written, "seed " + seed);
    }

    private static void write(Connection connection, int token) throws SQLException {
        String upsert = "insert into account values ('a', ?) on conflict (id) do update set token = excluded.token";
        try (PreparedStatement statement = connection.prepareStatement(upsert)) {
            statement.setInt(1, token);
            statement.executeUpdate();
        }
    }

    @Test
    void what_the_database_would_refuse_is_refused_before_it_hurts_the_transaction() throws SQLException {
        try (Connection connection = begin();
                Statement statement = connection.createStatement()) {
            for (String bad : List.of("", "a\0b", "\ud800", "é".repeat(513)))
                assertThrows(IllegalArgumentException.class, () -> fence.enter(connection, bad, 1));
            assertEquals(new Passed(), fence.enter(connection, "é".repeat(512), 1));
            statement.execute("select 1");
        }
        assertThrows(IllegalArgumentException.class, () -> Fence.named(""));
        try (Connection connection = sql.connect()) {
            IllegalStateException refused =
                    assertThrows(IllegalStateException.class, () -> fence.enter(connection, "a", 1));
            assertTrue(refused.getMessage().contains("auto-commit"), refused.getMessage());
        }
    }

    @Test
    void what_was_not_used_for_long_is_forgotten_in_bounded_steps_and_what_is_in_use_is_left() throws SQLException {
        for (int i = 0; i < 5; i++) enterAndCommit("old " + i, 10);
        sql.execute("update semel_fence set entered_at = entered_at - interval '8 days'");
        enterAndCommit("new", 10);
        enterAndCommit("old 4", 9);
        try (Connection busy = begin();
                Connection connection = sql.connect()) {
            fence.enter(busy, "old 0", 11);
            Duration week = Duration.ofDays(7);
            assertEquals(0, Fence.named("cards").forget(connection, week, 10));
            assertEquals(0, fence.forget(connection, Duration.ofSeconds(Long.MAX_VALUE / 1000), 10));
            assertEquals(3, fence.forget(connection, week, 3));
            assertEquals(1, fence.forget(connection, week, 3), "a stale token does not keep its resource");
            busy.commit();
            assertEquals(0, fence.forget(connection, week, 3));
            assertThrows(IllegalArgumentException.class, () -> fence.forget(connection, Duration.ZERO, 3));
            assertThrows(IllegalArgumentException.class, () -> fence.forget(connection, week, 0));
        }
        assertEquals(List.of("new", "old 0"), sql.rows("select resource from semel_fence order by 1"));
        assertEquals(new Passed(), enterAndCommit("old 1", 1), "to what is forgotten any token is the first");
    }

    @Test
    void an_entry_is_one_statement_and_touches_no_index() throws SQLException {
        sql.execute("create extension pg_stat_statements", "select pg_stat_statements_reset()");
        for (int token = 1; token <= 5; token++) enterAndCommit("a", token);
        enterAndCommit("a", 3);
        assertEquals(
                List.of("6"),
                sql.rows("select calls from pg_stat_statements where query like '%semel_fence%' and query not like"
                        + " '%pg_stat%' and dbid = (select oid from pg_database where datname ="
                        + " current_database())"));
    }
}
