package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelaySettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedPostgres.class)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
@Timeout(60)
class RelayTest {
    private static final RelaySettings QUICK = RelaySettings.DEFAULT
            .withLease(Duration.ofSeconds(2))
            .withPolls(Duration.ofMillis(2), Duration.ofMillis(20))
            .withPauses(Duration.ofMillis(5), Duration.ofMillis(50))
            .withAttempts(3);

    private final MemoryBroker broker = new MemoryBroker();
    private HikariDataSource database;
    private Outbox outbox;

    @BeforeEach
    void open() throws SQLException {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        outbox = Outbox.open(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void what_is_committed_arrives_in_order_and_what_is_rolled_back_does_not() throws Exception {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            try (Connection connection = transaction()) {
                List<UUID> appended =
                        outbox.append(connection, List.of(message("k" + i % 3, i), message("k" + i % 3, i)));
                if (i % 4 == 3) connection.rollback();
                else {
                    connection.commit();
                    ids.addAll(appended);
                }
            }
        }
        try (Relay relay = relay()) {
            await(() -> broker.taken().size() == ids.size());
        }
        assertEquals(ids.stream().sorted().toList(), taken().stream().sorted().toList());
        for (int key = 0; key < 3; key++)
            assertEquals(bodies("k" + key).stream().sorted().toList(), bodies("k" + key));
        assertEquals(0, outbox.status().waiting());
    }

    @Test
    void a_transaction_that_commits_late_with_an_early_number_is_not_passed_over() throws Exception {
        try (Relay relay = relay();
                Connection early = transaction()) {
            outbox.append(early, message("early", 1));
            for (int i = 0; i < 50; i++) append(message("late" + i, 2));
            await(() -> broker.taken().size() == 50);
            // Long enough for marks to be taken and floors to rise, were they allowed to.
            for (int i = 0; i < 20; i++) {
                append(message("later", 100 + i));
                int sent = 51 + i;
                await(() -> broker.taken().size() == sent);
                LockSupport.parkNanos(Duration.ofMillis(60).toNanos());
            }
            early.commit();
            await(() -> broker.taken().size() == 71);
        }
        assertEquals(List.of(1), bodies("early"));
    }

    @Test
    void a_message_that_is_not_taken_is_parked_with_its_tail_and_other_keys_go_on() throws Exception {
        broker.refuse(message -> body(message) == 1 ? new Delivery.Dead("too-large", "it is too large") : null);
        append(message("bad", 0), message("bad", 1), message("bad", 2), message("good", 3));
        try (Relay relay = relay()) {
            await(() -> broker.taken().size() == 2 && outbox.status().deadLetters() == 2);
            append(message("bad", 4), message("good", 5));
            await(() -> broker.taken().size() == 3 && outbox.status().deadLetters() == 3);
            assertEquals(List.of(0), bodies("bad"));
            assertEquals(List.of(3, 5), bodies("good"));
            assertEquals(1, outbox.status().parkedKeys());

            broker.refuse(message -> null);
            execute("update semel.dead_letter set due = true");
            append(message("bad", 6));
            await(() -> bodies("bad").size() == 5);
            assertEquals(List.of(0, 1, 2, 4, 6), bodies("bad"));
            await(() -> outbox.status().parkedKeys() == 0 && outbox.status().deadLetters() == 0);
            append(message("bad", 7));
            await(() -> bodies("bad").size() == 6);
        }
        assertEquals(List.of(0, 1, 2, 4, 6, 7), bodies("bad"));
    }

    @Test
    void a_refused_message_is_tried_again_and_then_parked() throws Exception {
        broker.refuse(message -> body(message) == 1 ? new Delivery.Retry("not now", Delivery.Cause.MESSAGE) : null);
        append(message("bad", 1), message("bad", 2), message("good", 3));
        try (Relay relay = relay()) {
            await(() -> broker.taken().size() == 1 && outbox.status().deadLetters() == 2);
        }
        assertEquals("3", one("select attempts from semel.dead_letter where kind = 'refused'"));
        assertEquals(List.of(3), bodies("good"));
    }

    @Test
    void a_broker_that_is_away_loses_nothing_and_parks_nothing() throws Exception {
        try (Relay relay = relay()) {
            append(message("k", 1));
            await(() -> broker.taken().size() == 1);
            broker.setAway(true);
            for (int i = 2; i < 10; i++) append(message("k", i));
            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            assertEquals(8, outbox.status().waiting());
            broker.setAway(false);
            await(() -> broker.taken().size() == 9);
            assertEquals(0, outbox.status().deadLetters());
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9), bodies("k"));
    }

    @Test
    void relays_share_the_shards_and_take_over() throws Exception {
        try (Relay first = relay()) {
            await(() -> shardsHeld() == 16);
            Relay second = relay();
            await(() -> relays() == 2);
            for (int i = 0; i < 200; i++) append(message("k" + i % 20, i));
            await(() -> broker.taken().size() >= 200);
            second.close();
            await(() -> relays() == 1 && shardsHeld() == 16);
            for (int i = 200; i < 300; i++) append(message("k" + i % 20, i));
            await(() -> broker.taken().size() >= 300);
        }
        for (int key = 0; key < 20; key++)
            assertEquals(bodies("k" + key).stream().sorted().distinct().toList(), bodies("k" + key));
    }

    @Test
    void appending_from_sql_is_the_same() throws Exception {
        String id =
                one("select semel.append(topic => 'orders', key => 'k', type => 'order.paid', payload => '7'::bytea,"
                        + " headers => '{\"traceparent\": \"00-abc\", \"a\": \"b: c\"}')");
        try (Relay relay = relay()) {
            await(() -> broker.taken().size() == 1);
        }
        OutgoingMessage message = broker.taken().getFirst();
        assertEquals(UUID.fromString(id), message.id());
        assertEquals(7, message.id().version());
        assertEquals("00-abc", message.headers().get("traceparent"));
        assertEquals("b: c", message.headers().get("a"));
        assertEquals(7, body(message));
    }

    @Test
    void what_is_not_allowed_is_refused_before_it_is_written() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> Message.of("", "t", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> Message.of("a b", "t", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> Message.of("a", "", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> message("", 1));
        assertThrows(IllegalArgumentException.class, () -> message("a\nb", 1));
        assertThrows(IllegalArgumentException.class, () -> message("k", 1).withHeader("a", "b\r\nc: d"));
        assertThrows(IllegalArgumentException.class, () -> message("k", 1).withHeader("webhook-id", "x"));
        assertThrows(IllegalArgumentException.class, () -> Message.of("a", "t", new byte[1024 * 1024 + 1]));
        for (String call : List.of(
                "null, 'k', 't', ''",
                "'a b', 'k', 't', ''",
                "'a', '', 't', ''",
                "'a', E'x\\ny', 't', ''",
                "'a', repeat('k', 513), 't', ''",
                "'a', 'k', null, ''",
                "'a', 'k', 't', null",
                "'a', 'k', 't', convert_to(repeat('x', 1048577), 'UTF8')",
                "'a', 'k', 't', '', '[]'",
                "'a', 'k', 't', '', '{\"a\": 1}'",
                "'a', 'k', 't', '', '{\"a\\nb\": \"c\"}'",
                "'a', 'k', 't', '', '{\"a\": \"b\\r\\nc\"}'",
                "'a', 'k', 't', '', '{\"Webhook-Id\": \"b\"}'")) {
            SQLException refused =
                    assertThrows(SQLException.class, () -> one("select semel.append(" + call + ")"), call);
            assertTrue(refused.getMessage().contains("semel: "), call + ": " + refused.getMessage());
        }
        assertEquals("0", one("select count(*) from semel.outbox"));
    }

    private Relay relay() {
        return Relay.from(outbox).to(broker).with(QUICK).start();
    }

    private static Message message(String key, int body) {
        return Message.of("orders", "order.paid", Integer.toString(body).getBytes(UTF_8))
                .withKey(key);
    }

    private Connection transaction() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private void append(Message... messages) throws SQLException {
        try (Connection connection = transaction()) {
            outbox.append(connection, List.of(messages));
            connection.commit();
        }
        outbox.committed();
    }

    private List<UUID> taken() {
        return broker.taken().stream().map(OutgoingMessage::id).toList();
    }

    private List<Integer> bodies(String key) {
        return broker.taken().stream()
                .filter(message -> key.equals(message.key()))
                .map(RelayTest::body)
                .toList();
    }

    private static int body(OutgoingMessage message) {
        return Integer.parseInt(new String(message.payload(), UTF_8));
    }

    private long shardsHeld() throws SQLException {
        return outbox.status().shards().stream()
                .filter(shard -> shard.relay() != null)
                .count();
    }

    private long relays() throws SQLException {
        return outbox.status().shards().stream()
                .map(shard -> String.valueOf(shard.relay()))
                .distinct()
                .count();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    private interface Condition {
        boolean holds() throws SQLException;
    }

    private static void await(Condition condition) throws SQLException {
        BooleanSupplier interrupted = () -> Thread.currentThread().isInterrupted();
        while (!condition.holds()) {
            if (interrupted.getAsBoolean()) throw new IllegalStateException("interrupted while waiting");
            LockSupport.parkNanos(2_000_000);
        }
    }
}
