package dev.semel.broker.rabbitmq;

import static dev.semel.broker.rabbitmq.SharedRabbitMq.on;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.MessageHandler;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RejectedMessageException;
import dev.semel.messaging.consume.RetrySettings;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRabbitMq.class)
@Timeout(60)
@SuppressWarnings("try")
class RabbitMqConsumerTest {
    private static final RetrySettings QUICK = new RetrySettings(3, Duration.ofMillis(10), Duration.ofMillis(100));

    private final LinkedBlockingQueue<ConsumerEvent> events = new LinkedBlockingQueue<>();
    private final String queue = SharedRabbitMq.newQueue(Map.of());
    private final String dead = SharedRabbitMq.newQueue(Map.of());
    private HikariDataSource database;
    private Inbox inbox;

    @BeforeEach
    void open() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(SharedRabbitMq.freshDatabase());
        config.setMaximumPoolSize(4);
        database = new HikariDataSource(config);
        inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table effect (n serial, message text)");
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void messages_take_effect_once_in_their_order_and_leave_the_queue() throws Exception {
        OutgoingMessage twice = message("k", "twice");
        List<OutgoingMessage> messages = new ArrayList<>(List.of(twice));
        for (int i = 0; i < 200; i++) messages.add(message("k" + i % 3, "m" + i));
        messages.add(twice);
        publish(messages);
        try (RabbitMqConsumer consumer = start(RabbitMqConsumerTest::write)) {
            awaitEffects(201);
            assertEquals(
                    1,
                    await(ConsumerEvent.Handled.class, it -> it.duplicates() > 0)
                            .duplicates());
        }
        List<String> effects = effects();
        for (int key = 0; key < 3; key++) {
            int mine = key;
            assertEquals(
                    messages.stream()
                            .filter(it -> ("k" + mine).equals(it.key()))
                            .map(it -> new String(it.payload(), UTF_8))
                            .toList(),
                    effects.stream()
                            .filter(it -> it.startsWith("m") && Integer.parseInt(it.substring(1)) % 3 == mine)
                            .toList());
        }
        assertNull(on(channel -> channel.basicGet(queue, true)));
    }

    @Test
    void what_a_handler_sees_is_what_was_sent() throws Exception {
        OutgoingMessage sent = new OutgoingMessage(
                UUID.randomUUID(),
                queue,
                "Grüße",
                "order.paid",
                Map.of("content-type", "application/json", "traceparent", "00-1-2-01"),
                new byte[] {0, 1, (byte) 0xff},
                Instant.now());
        publish(List.of(sent));
        LinkedBlockingQueue<IncomingMessage> seen = new LinkedBlockingQueue<>();
        try (RabbitMqConsumer consumer = start((transaction, message) -> seen.add(message))) {
            IncomingMessage message = seen.take();
            assertEquals(sent.id().toString(), message.id());
            assertEquals(queue, message.topic());
            assertEquals("Grüße", message.key());
            assertEquals("order.paid", message.type());
            assertEquals("application/json", message.headers().get("content-type"));
            assertEquals("00-1-2-01", message.headers().get("traceparent"));
            assertEquals("/test", message.headers().get("source"));
            assertEquals(3, message.payload().length);
        }
    }

    @Test
    void what_fails_is_tried_again_and_not_overtaken_by_its_key_but_by_others() throws Exception {
        AtomicBoolean otherKey = new AtomicBoolean();
        publish(List.of(message("k", "a"), message("k", "b"), message("k", "c"), message("j", "d")));
        try (RabbitMqConsumer consumer = plan((transaction, message) -> {
                    write(transaction, message);
                    long failed = events.stream()
                            .filter(it -> it instanceof ConsumerEvent.Failed)
                            .count();
                    if (body(message).equals("d")) otherKey.set(true);
                    if (body(message).equals("b") && (failed < 2 || !otherKey.get()))
                        throw new IllegalStateException("not now");
                })
                .with(new RetrySettings(1000, Duration.ofMillis(100), Duration.ofMillis(100)))
                .from(SharedRabbitMq.server().url(), queue)
                .deadLettersTo(dead)
                .start()) {
            awaitEffects(4);
        }
        assertEquals(
                List.of("a", "b", "c"),
                effects().stream().filter(it -> !it.equals("d")).toList());
        assertEquals(
                List.of("d"), effects().stream().filter(it -> it.equals("d")).toList());
        assertTrue(effects().indexOf("d") < effects().indexOf("b"), effects().toString());
        assertEquals(1, await(ConsumerEvent.Failed.class, it -> true).attempt());
        assertEquals(2, await(ConsumerEvent.Failed.class, it -> true).attempt());
    }

    @Test
    void what_cannot_be_handled_goes_to_the_queue_for_dead_letters_and_others_go_on() throws Exception {
        OutgoingMessage poison = message("k", "poison");
        publish(List.of(message("k", "a"), poison, message("k", "rejected"), message("k", "b")));
        // Not of Semel: without an id.
        on(channel -> {
            channel.basicPublish("", queue, null, "unidentified".getBytes(UTF_8));
            return true;
        });
        AtomicInteger tries = new AtomicInteger();
        try (RabbitMqConsumer consumer = start((transaction, message) -> {
            write(transaction, message);
            if (body(message).equals("rejected")) throw new RejectedMessageException("no such account");
            if (body(message).equals("poison") && tries.incrementAndGet() > 0) throw new IllegalStateException("no");
        })) {
            for (int i = 0; i < 3; i++) await(ConsumerEvent.Parked.class, it -> true);
            awaitEffects(2);
        }
        assertEquals(List.of("a", "b"), effects());
        List<String> letters = new ArrayList<>();
        for (GetResponse letter = get(dead); letter != null; letter = get(dead)) {
            String body = new String(letter.getBody(), UTF_8);
            letters.add(body);
            AMQP.BasicProperties properties = letter.getProps();
            assertEquals(queue, properties.getHeaders().get("semel-dead-queue").toString());
            String reason = properties.getHeaders().get("semel-dead-reason").toString();
            if (body.equals("poison")) {
                assertEquals(poison.id().toString(), properties.getMessageId());
                assertEquals(3, properties.getHeaders().get("semel-dead-attempts"));
                assertTrue(reason.contains("3 times"), reason);
            }
            if (body.equals("rejected")) assertEquals("no such account", reason);
        }
        assertEquals(
                List.of("poison", "rejected", "unidentified"),
                letters.stream().sorted().toList());
        assertNull(get(queue));
    }

    @Test
    void the_dead_letter_exchange_of_a_queue_takes_them_if_that_is_wanted() throws Exception {
        String own = SharedRabbitMq.newQueue(Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", dead));
        publish(List.of(messageTo(own, "k", "rejected"), messageTo(own, "k", "good")));
        try (RabbitMqConsumer consumer = plan((transaction, message) -> {
                    write(transaction, message);
                    if (body(message).equals("rejected")) throw new RejectedMessageException("no such account");
                })
                .from(SharedRabbitMq.server().url(), own)
                .deadLettersByExchangeOfQueue()
                .start()) {
            await(ConsumerEvent.Parked.class, it -> true);
            awaitEffects(1);
            assertEquals(
                    "rejected",
                    new String(SharedRabbitMq.arrived(dead, 1).getFirst().payload(), UTF_8));
        }
        assertEquals(List.of("good"), effects());
    }

    @Test
    void nothing_is_taken_before_there_is_a_place_for_dead_letters() throws Exception {
        assertThrows(
                IllegalStateException.class,
                () -> RabbitMqConsumer.of(receiver(RabbitMqConsumerTest::write))
                        .from(SharedRabbitMq.server().url(), queue)
                        .start());
        String later = "later-" + UUID.randomUUID();
        publish(List.of(message("k", "a")));
        try (RabbitMqConsumer consumer = plan(RabbitMqConsumerTest::write)
                .from(SharedRabbitMq.server().url(), queue)
                .deadLettersTo(later)
                .start()) {
            String reason = await(ConsumerEvent.BrokerAway.class, it -> true).reason();
            assertTrue(reason.contains("no queue " + later), reason);
            assertEquals(List.of(), effects());
            SharedRabbitMq.create(later, Map.of());
            awaitEffects(1);
        }
    }

    @Test
    void a_dead_letter_stays_in_its_queue_until_it_is_in_the_other() throws Exception {
        String full = SharedRabbitMq.newQueue(Map.of());
        publish(List.of(message("k", "rejected"), message("j", "good")));
        AtomicBoolean deleted = new AtomicBoolean();
        try (RabbitMqConsumer consumer = plan((transaction, message) -> {
                    write(transaction, message);
                    if (!body(message).equals("rejected")) return;
                    if (!deleted.getAndSet(true)) on(channel -> channel.queueDelete(full));
                    throw new RejectedMessageException("no such account");
                })
                .from(SharedRabbitMq.server().url(), queue)
                .deadLettersTo(full)
                .start()) {
            String reason = await(ConsumerEvent.BrokerAway.class, it -> true).reason();
            assertTrue(reason.contains(full), reason);
            SharedRabbitMq.create(full, Map.of());
            await(ConsumerEvent.Parked.class, it -> true);
            awaitEffects(1);
        }
        assertEquals(
                "rejected",
                new String(SharedRabbitMq.arrived(full, 1).getFirst().payload(), UTF_8));
    }

    @Test
    void a_message_is_not_acknowledged_before_its_effect_is_committed() throws Exception {
        publish(List.of(message("k", "a"), message("k", "b")));
        AtomicInteger calls = new AtomicInteger();
        try (Proxy proxy = new Proxy(SharedRabbitMq.server().port());
                RabbitMqConsumer consumer = plan((transaction, message) -> {
                            write(transaction, message);
                            if (calls.incrementAndGet() > 2) return;
                            proxy.cut();
                            throw new IllegalStateException("the process would have died here");
                        })
                        .from(proxy.url(), queue)
                        .deadLettersTo(dead)
                        .withBatch(1, 1)
                        .start()) {
            awaitEffects(2);
        }
        assertEquals(List.of("a", "b"), effects());
    }

    @Test
    void what_was_committed_and_not_acknowledged_comes_again_and_has_no_effect() throws Exception {
        publish(List.of(message("k", "a"), message("k", "b")));
        AtomicInteger calls = new AtomicInteger();
        try (Proxy proxy = new Proxy(SharedRabbitMq.server().port());
                RabbitMqConsumer consumer = plan((transaction, message) -> {
                            write(transaction, message);
                            if (calls.incrementAndGet() == 1) proxy.cut();
                        })
                        .from(proxy.url(), queue)
                        .deadLettersTo(dead)
                        .start()) {
            await(ConsumerEvent.BrokerAway.class, it -> true);
            await(ConsumerEvent.Handled.class, it -> it.duplicates() > 0);
            awaitEffects(2);
        }
        assertEquals(List.of("a", "b"), effects());
        assertNull(get(queue));
    }

    @Test
    void a_queue_that_is_deleted_and_made_again_is_consumed_again() throws Exception {
        publish(List.of(message("k", "a")));
        try (RabbitMqConsumer consumer = start(RabbitMqConsumerTest::write)) {
            awaitEffects(1);
            on(channel -> channel.queueDelete(queue));
            String reason = await(ConsumerEvent.BrokerAway.class, it -> true).reason();
            assertTrue(reason.contains(queue), reason);
            SharedRabbitMq.create(queue, Map.of());
            publish(List.of(message("k", "b")));
            awaitEffects(2);
        }
    }

    @Test
    void a_database_that_is_away_is_waited_for_and_nothing_is_a_dead_letter() throws Exception {
        publish(List.of(message("k", "a"), message("k", "b")));
        AtomicInteger broken = new AtomicInteger(6);
        try (RabbitMqConsumer consumer = start((transaction, message) -> {
            write(transaction, message);
            if (broken.getAndDecrement() > 0)
                try (Statement statement = transaction.createStatement()) {
                    statement.execute("select pg_terminate_backend(pg_backend_pid())");
                }
        })) {
            await(ConsumerEvent.DatabaseAway.class, it -> true);
            awaitEffects(2);
        }
        assertEquals(List.of("a", "b"), effects());
        assertTrue(events.stream().noneMatch(it -> it instanceof ConsumerEvent.Parked), events.toString());
        assertNull(get(dead));
    }

    @Test
    void what_is_in_hand_when_a_consumer_is_closed_goes_back_to_the_queue() throws Exception {
        publish(List.of(message("k", "a"), message("k", "b")));
        try (RabbitMqConsumer consumer = start((transaction, message) -> {
            throw new IllegalStateException("not now");
        })) {
            await(ConsumerEvent.Failed.class, it -> true);
        }
        try (RabbitMqConsumer consumer = start(RabbitMqConsumerTest::write)) {
            awaitEffects(2);
        }
        assertEquals(List.of("a", "b"), effects());
    }

    @Test
    void the_example_of_the_guide_works() throws Exception {
        SharedRabbitMq.create("orders", Map.of());
        SharedRabbitMq.create("orders.dead", Map.of());
        publish(List.of(messageTo("orders", "k", "a")));
        String url = SharedRabbitMq.server().url();
        Receiver receiver = Receiver.of(inbox, "billing", (transaction, message) -> bill(transaction, message));
        RabbitMqConsumer consumer = RabbitMqConsumer.of(receiver)
                .from(url, "orders")
                .deadLettersTo("orders.dead")
                .start();
        awaitEffects(1);
        consumer.close();
        assertNull(get("orders"));
    }

    private static void bill(Connection transaction, IncomingMessage message) throws SQLException {
        write(transaction, message);
    }

    private RabbitMqConsumer start(MessageHandler handler) {
        return plan(handler)
                .from(SharedRabbitMq.server().url(), queue)
                .deadLettersTo(dead)
                .start();
    }

    private RabbitMqConsumer.Plan plan(MessageHandler handler) {
        return RabbitMqConsumer.of(receiver(handler)).with(QUICK).heardBy(events::add);
    }

    private Receiver receiver(MessageHandler handler) {
        return Receiver.of(inbox, "billing", handler);
    }

    private <E extends ConsumerEvent> E await(Class<E> kind, java.util.function.Predicate<E> wanted)
            throws InterruptedException {
        while (true) {
            ConsumerEvent event = events.take();
            if (kind.isInstance(event) && wanted.test(kind.cast(event))) return kind.cast(event);
        }
    }

    private void publish(List<OutgoingMessage> messages) throws InterruptedException {
        try (RabbitMqBroker broker = RabbitMqBroker.open(SharedRabbitMq.server().url(), "/test");
                Publisher publisher = broker.open(new ShardLease(0, 1))) {
            for (var delivery : publisher.publish(messages))
                assertEquals(new dev.semel.messaging.broker.Delivery.Sent(), delivery);
        }
    }

    private OutgoingMessage message(@Nullable String key, String body) {
        return messageTo(queue, key, body);
    }

    private static OutgoingMessage messageTo(String topic, @Nullable String key, String body) {
        return new OutgoingMessage(
                UUID.randomUUID(), topic, key, "order.paid", Map.of(), body.getBytes(UTF_8), Instant.now());
    }

    private static String body(IncomingMessage message) {
        return new String(message.payload(), UTF_8);
    }

    private static GetResponse get(String from) {
        return on(channel -> channel.basicGet(from, true));
    }

    private static void write(Connection transaction, IncomingMessage message) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("insert into effect (message) values (?)")) {
            insert.setString(1, body(message));
            insert.executeUpdate();
        }
    }

    private void awaitEffects(int count) throws SQLException {
        while (effects().size() < count) Thread.onSpinWait();
    }

    private List<String> effects() throws SQLException {
        List<String> effects = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select message from effect order by n")) {
            while (rows.next()) effects.add(rows.getString(1));
        }
        return effects;
    }
}
