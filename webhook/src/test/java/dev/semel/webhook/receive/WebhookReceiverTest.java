package dev.semel.webhook.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.MessageLimits;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.webhook.SigningKey;
import dev.semel.webhook.WebhookScheme;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a real database, with a clock that stands still. */
@Timeout(60)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
class WebhookReceiverTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
    private static final WebhookScheme SCHEME =
            new WebhookScheme.Standard(List.of(SigningKey.parse(SECRET)), WebhookScheme.TOLERANCE);

    @TempDir
    static Path folder;

    private static PostgresServer server;
    private static HikariDataSource database;
    private static Inbox inbox;
    private static Outbox outbox;

    private final WebhookReceiver receiver =
            WebhookReceiver.of("sender", SCHEME, inbox).at(() -> NOW);

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.startFromClassPath(folder, "fsync=off");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setMaximumPoolSize(8);
        config.setConnectionTimeout(1000);
        database = new HikariDataSource(config);
        outbox = Outbox.open(database);
        inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(30)));
        say("create table effect (id text)");
    }

    @AfterAll
    static void end() {
        database.close();
        server.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        say("truncate effect, semel.outbox, semel.inbox_0, semel.inbox_1");
    }

    private static void say(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(String table) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static long remembered() throws SQLException {
        return count("semel.inbox_0") + count("semel.inbox_1");
    }

    private static Map<String, String> headers(String id, byte[] body) {
        String time = Long.toString(NOW.getEpochSecond());
        return new HashMap<>(Map.of(
                "webhook-id",
                id,
                "webhook-timestamp",
                time,
                "webhook-signature",
                SigningKey.parse(SECRET).sign(WebhookScheme.signed(id, time, body))));
    }

    private Receipt handle(String id, WebhookHandler handler) {
        byte[] body = id.getBytes(UTF_8);
        return receiver.handle(headers(id, body)::get, body, handler);
    }

    private static void note(Connection transaction, IncomingWebhook webhook) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("insert into effect values ('" + webhook.id() + "')");
        }
    }

    @Test
    void the_effect_and_the_mark_are_committed_together_or_not_at_all() throws Exception {
        Receipt failed = handle("m1", (transaction, webhook) -> {
            note(transaction, webhook);
            throw new IllegalStateException("not today");
        });
        assertInstanceOf(Receipt.Failed.class, failed);
        assertEquals(500, failed.answer().status());
        assertEquals(0, count("effect"));
        assertEquals(0, remembered());
        assertEquals(new Receipt.Taken("m1", true), handle("m1", WebhookReceiverTest::note));
        assertEquals(new Receipt.Taken("m1", false), handle("m1", (transaction, webhook) -> {
            throw new AssertionError("a duplicate is not handled");
        }));
        assertEquals(1, count("effect"));
        assertEquals(1, remembered());
    }

    @Test
    void a_handler_that_ends_its_transaction_or_breaks_it_is_not_acknowledged() throws Exception {
        assertInstanceOf(Receipt.Failed.class, handle("m1", (transaction, webhook) -> transaction.setAutoCommit(true)));
        assertInstanceOf(Receipt.Failed.class, handle("m2", (transaction, webhook) -> {
            try (Statement statement = transaction.createStatement()) {
                statement.execute("select 1 / 0");
            }
        }));
        assertInstanceOf(Receipt.Failed.class, handle("m5", (transaction, webhook) -> {
            try (Statement statement = transaction.createStatement()) {
                statement.execute("select 1 / 0");
            } catch (SQLException e) {
                // As if nothing had happened: the driver would commit without a word, and the server roll back.
            }
        }));
        assertInstanceOf(Receipt.Failed.class, handle("m6", (transaction, webhook) -> transaction.rollback()));
        assertInstanceOf(Receipt.Failed.class, handle("m3", (transaction, webhook) -> {
            throw new StackOverflowError();
        }));
        Receipt cut = handle("m4", (transaction, webhook) -> {
            try (Statement statement = transaction.createStatement()) {
                statement.execute("select pg_terminate_backend(pg_backend_pid())");
            }
        });
        assertEquals(503, cut.answer().status());
        assertEquals("5", cut.answer().headers().get("Retry-After"));
        assertEquals(new Receipt.Taken("m4", true), handle("m4", WebhookReceiverTest::note));
    }

    @Test
    void of_many_at_once_one_takes_effect_and_the_others_wait_for_it() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Receipt> first = threads.submit(() -> handle("m1", (transaction, webhook) -> {
                note(transaction, webhook);
                begun.countDown();
                go.await();
                throw new IllegalStateException("the first one fails after all");
            }));
            begun.await();
            List<Future<Receipt>> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) others.add(threads.submit(() -> handle("m1", WebhookReceiverTest::note)));
            while (waiting() < 5) LockSupport.parkNanos(2_000_000);
            go.countDown();
            assertInstanceOf(Receipt.Failed.class, first.get());
            int firsts = 0;
            for (Future<Receipt> other : others)
                if (assertInstanceOf(Receipt.Taken.class, other.get()).isFirst()) firsts++;
            assertEquals(1, firsts);
        }
        assertEquals(1, count("effect"));
    }

    private static long waiting() throws SQLException {
        return count("pg_locks where not granted and locktype = 'transactionid'")
                + count("pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'speculative token'");
    }

    @Test
    void what_is_stored_is_sent_once_with_the_id_of_its_sender() throws Exception {
        byte[] body = "{}".getBytes(UTF_8);
        for (int i = 0; i < 3; i++) {
            Receipt receipt = receiver.store(
                    headers("m1", body)::get,
                    body,
                    outbox,
                    webhook -> Message.of("hooks", "event", webhook.body()).withKey("k"));
            assertEquals(new Receipt.Taken("m1", i == 0), receipt);
            assertEquals(200, receipt.answer().status());
        }
        MemoryBroker broker = new MemoryBroker();
        try (Relay relay = Relay.from(outbox).to(broker).start()) {
            while (count("semel.outbox") > 0) LockSupport.parkNanos(2_000_000);
        }
        List<OutgoingMessage> sent = broker.taken();
        assertEquals(1, sent.size());
        assertEquals("m1", sent.getFirst().headers().get(WebhookReceiver.SENDER_ID));
        assertEquals("k", sent.getFirst().key());
    }

    @Test
    void a_message_that_cannot_be_made_is_not_acknowledged() throws Exception {
        byte[] body = "{}".getBytes(UTF_8);
        Receipt receipt = receiver.store(
                headers("m1", body)::get, body, outbox, webhook -> Message.of("no topic", "event", webhook.body()));
        assertInstanceOf(Receipt.Failed.class, receipt);
        assertEquals(0, remembered());
    }

    @Test
    void what_is_not_genuine_is_refused_without_a_word_why() throws Exception {
        byte[] body = "m1".getBytes(UTF_8);
        Map<String, String> headers = headers("m1", body);
        headers.put("webhook-signature", "v1,AAAA");
        Receipt receipt = receiver.handle(headers::get, body, WebhookReceiverTest::note);
        assertInstanceOf(Receipt.Rejected.class, receipt);
        assertEquals(401, receipt.answer().status());
        Receipt old = receiver.at(() -> NOW.plus(Duration.ofMinutes(6)))
                .handle(headers("m1", body)::get, body, WebhookReceiverTest::note);
        assertEquals(
                new String(receipt.answer().body(), UTF_8),
                new String(old.answer().body(), UTF_8));
        assertFalse(new String(old.answer().body(), UTF_8).contains("timestamp"));
        assertEquals(
                400, handle("not an id", WebhookReceiverTest::note).answer().status());
        assertEquals(400, handle("\u00e9", WebhookReceiverTest::note).answer().status());
        byte[] large = new byte[MessageLimits.LARGEST_PAYLOAD + 1];
        assertEquals(
                413,
                receiver.handle(headers("m1", large)::get, large, WebhookReceiverTest::note)
                        .answer()
                        .status());
        assertEquals(0, count("effect"));
        assertEquals(0, remembered());
    }

    @Test
    void two_senders_may_have_the_same_id() throws Exception {
        byte[] body = "m1".getBytes(UTF_8);
        handle("m1", WebhookReceiverTest::note);
        Receipt other = WebhookReceiver.of("another sender", SCHEME, inbox)
                .at(() -> NOW)
                .handle(headers("m1", body)::get, body, WebhookReceiverTest::note);
        assertEquals(new Receipt.Taken("m1", true), other);
        assertEquals(2, count("effect"));
        assertTrue(remembered() == 2);
    }
}
