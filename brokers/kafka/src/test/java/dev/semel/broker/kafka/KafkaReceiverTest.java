package dev.semel.broker.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.key.TimeOrderedId;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.MessageHandler;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RejectedMessageException;
import dev.semel.messaging.consume.RetrySettings;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
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
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedKafka.class)
@SuppressWarnings("try") // a receiver that runs is all that is asked of it
@Timeout(60)
class KafkaReceiverTest {
    private static final RetrySettings QUICK = new RetrySettings(3, Duration.ofMillis(5), Duration.ofMillis(50));
    private static final InboxWindow WINDOW = new InboxWindow(Duration.ofDays(30));
    private static PostgresServer server;
    private static HikariDataSource database;
    private static KafkaProducer<byte[], byte[]> producer;

    private final KafkaRecords records = new KafkaRecords("/test");
    private final String topic = "t-" + UUID.randomUUID();
    private final String dead = topic + ".dead";
    private final String consumer = "c-" + UUID.randomUUID();
    private final Queue<ConsumerEvent> events = new ConcurrentLinkedQueue<>();
    private Inbox inbox;

    @BeforeAll
    static void startServers() throws Exception {
        SharedKafka.server();
        Path folder = Path.of("target", "postgres-" + ProcessHandle.current().pid());
        server = PostgresServer.startFromClassPath(folder.toAbsolutePath());
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setMaximumPoolSize(8);
        database = new HikariDataSource(config);
        run("create table effect (n bigserial, consumer text, message text, key text, body text)");
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", SharedKafka.server().bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void stopServers() {
        producer.close(Duration.ZERO);
        database.close();
        server.close();
    }

    @BeforeEach
    void create() throws Exception {
        inbox = Inbox.open(database, WINDOW);
        SharedKafka.create(topic, 3, Map.of());
        SharedKafka.create(dead, 1, Map.of());
    }

    @Test
    void each_message_takes_effect_once_in_the_order_of_its_key_and_is_told_to_kafka() throws Exception {
        for (int i = 0; i < 600; i++) send("k" + i % 7, i);
        try (KafkaReceiver receiver = start(this::write)) {
            await(() -> effects().size() == 600);
            assertTrue(receiver.isRunning());
        }
        for (int key = 0; key < 7; key++) {
            List<Integer> bodies = bodies("k" + key);
            assertEquals(bodies.stream().sorted().toList(), bodies);
        }
        assertEquals(600, committed());

        OutgoingMessage message = send("k0", 600);
        producer.send(records.record(message)).get();
        try (KafkaReceiver receiver = start(this::write)) {
            await(() -> committed() == 602);
        }
        assertEquals(601, effects().size());
    }

    @Test
    void what_a_relay_sends_arrives_as_it_was_appended() throws Exception {
        List<IncomingMessage> arrived = new ArrayList<>();
        OutgoingMessage sent = new OutgoingMessage(
                TimeOrderedId.next(), topic, "k", "order.paid", Map.of("traceparent", "00-x"), bytes(7), Instant.now());
        producer.send(records.record(sent)).get();
        producer.send(new ProducerRecord<>(topic, null, new byte[] {(byte) 0xff}, null, List.of(id("foreign"))))
                .get();
        try (KafkaReceiver receiver = start((transaction, message) -> {
            synchronized (arrived) {
                arrived.add(message);
            }
        })) {
            await(() -> committed() == 2);
        }
        arrived.sort((a, b) -> String.valueOf(a.id()).compareTo(String.valueOf(b.id())));
        IncomingMessage message = arrived.getFirst();
        assertEquals(sent.id().toString(), message.id());
        assertEquals(topic, message.topic());
        assertEquals("k", message.key());
        assertEquals("order.paid", message.type());
        assertEquals("00-x", message.headers().get("traceparent"));
        assertEquals("/test", message.headers().get("source"));
        assertEquals("7", new String(message.payload(), UTF_8));
        assertEquals("0xff", arrived.get(1).key());
        assertEquals(0, arrived.get(1).payload().length);
    }

    @Test
    void a_message_that_fails_holds_back_its_key_and_the_offset_and_nothing_else() throws Exception {
        Set<Integer> failing = ConcurrentHashMap.newKeySet();
        failing.add(1);
        RetrySettings patient = new RetrySettings(1000, Duration.ofMillis(5), Duration.ofMillis(20));
        send("bad", 0);
        for (int body = 1; body < 4; body++) send("bad", body);
        int partition = partitionOf("bad");
        List<String> neighbours = sameKeys(partition);
        for (String key : neighbours) send(key, 100);
        try (KafkaReceiver receiver = plan((transaction, message) -> {
                    write(transaction, message);
                    if (failing.contains(body(message))) throw new IllegalStateException("not now");
                })
                .with(patient)
                .start()) {
            await(() -> effects().size() == 1 + neighbours.size());
            await(() -> committed(partition) == 1);
            int before = events.size();
            await(() -> events.size() > before + 3);
            assertEquals(1, committed(partition), "beyond a message that is not done");
            assertEquals(List.of(0), bodies("bad"));
            failing.clear();
            await(() -> bodies("bad").size() == 4);
            await(() -> committed(partition) == 4 + neighbours.size());
        }
        assertEquals(List.of(0, 1, 2, 3), bodies("bad"));
        assertEquals(4 + neighbours.size(), effects().size());
    }

    @Test
    void poison_becomes_a_dead_letter_that_tells_all_about_it_and_the_rest_goes_on() throws Exception {
        OutgoingMessage failing = send("bad", 1);
        OutgoingMessage rejected = send("bad", 2);
        send("bad", 3);
        producer.send(new ProducerRecord<>(topic, partitionOf("bad"), bytes(4), bytes(4)))
                .get();
        send("bad", 5);
        try (KafkaReceiver receiver = plan((transaction, message) -> {
                    if (body(message) == 1) throw new IllegalStateException("no such account");
                    if (body(message) == 2) throw new RejectedMessageException("a negative amount");
                    write(transaction, message);
                })
                .with(QUICK)
                .deadLettersTo(dead)
                .start()) {
            await(() -> committed() == 5);
        }
        assertEquals(List.of(3, 5), bodies("bad"));
        Map<String, ArrivedMessage> letters = new java.util.TreeMap<>();
        for (ArrivedMessage letter : SharedKafka.arrived(dead, 3))
            letters.put(new String(letter.payload(), UTF_8), letter);
        assertEquals(Set.of("1", "2", "4"), letters.keySet());
        ArrivedMessage first = letters.get("1");
        assertEquals(failing.id().toString(), first.id());
        assertEquals("bad", first.key());
        assertTrue(first.headers().get("semel-error").contains("no such account"));
        assertEquals(topic, first.headers().get("semel-topic"));
        assertEquals(Integer.toString(partitionOf("bad")), first.headers().get("semel-partition"));
        assertEquals("0", first.headers().get("semel-offset"));
        assertEquals(consumer, first.headers().get("semel-consumer"));
        assertEquals(rejected.id().toString(), letters.get("2").id());
        assertTrue(letters.get("4").headers().get("semel-error").contains("no id"));
        assertEquals(
                3,
                events.stream().filter(it -> it instanceof ConsumerEvent.Parked).count());
    }

    @Test
    void a_dead_letter_that_is_not_taken_is_not_passed() throws Exception {
        SharedKafka.create(dead + ".small", 1, Map.of("max.message.bytes", "100"));
        send("k", 1);
        try (KafkaReceiver receiver = plan((transaction, message) -> {
                    throw new RejectedMessageException("never");
                })
                .with(QUICK)
                .deadLettersTo(dead + ".small")
                .start()) {
            await(() -> events.stream().anyMatch(it -> it instanceof ConsumerEvent.BrokerAway));
            assertEquals(0, committed());
        }
        assertEquals(0, committed());
    }

    @Test
    void without_a_topic_for_dead_letters_it_stops_in_front_of_the_first_one_and_tells() throws Exception {
        send("k", 1);
        OutgoingMessage poison = send("k", 2);
        send("k", 3);
        try (KafkaReceiver receiver = plan((transaction, message) -> {
                    if (body(message) == 2) throw new IllegalStateException("no such account");
                    write(transaction, message);
                })
                .with(QUICK)
                .start()) {
            String why = String.valueOf(assertThrows(IllegalStateException.class, receiver::awaitEnd)
                    .getMessage());
            assertTrue(why.contains(poison.id().toString()), why);
            assertTrue(why.contains("offset 1"), why);
            assertTrue(why.contains("no such account"), why);
            assertFalse(receiver.isRunning());
        }
        assertEquals(List.of(1), bodies("k"));
        assertEquals(1, committed());
    }

    @Test
    void a_handler_that_takes_long_holds_up_neither_other_partitions_nor_the_group() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        String other = keyOutside(partitionOf("slow"));
        try (KafkaReceiver receiver = start((transaction, message) -> {
            if ("slow".equals(message.key())) free.await();
            write(transaction, message);
        })) {
            send("slow", 1);
            for (int i = 0; i < 20; i++) {
                send(other, i);
                int sent = i + 1;
                await(() -> bodies(other).size() == sent);
            }
            free.countDown();
            await(() -> bodies("slow").size() == 1);
        }
        assertEquals(21, effects().size());
    }

    @Test
    void members_of_a_group_that_come_and_go_lose_nothing_and_repeat_nothing() throws Exception {
        int count = 3000;
        KafkaReceiver first = start(this::write);
        KafkaReceiver second = null;
        for (int i = 0; i < count; i++) {
            send("k" + i % 20, i);
            if (i == 500) second = start(this::write);
            if (i == 1500) first.close(Duration.ZERO);
            if (i == 2000) first = start(this::write);
        }
        await(() -> effects().size() >= count);
        await(() -> committed() == count);
        first.close();
        second.close();
        assertEquals(count, effects().size());
        for (int key = 0; key < 20; key++) {
            List<Integer> bodies = bodies("k" + key);
            assertEquals(bodies.stream().sorted().toList(), bodies);
        }
    }

    @Test
    void an_inbox_that_forgets_too_early_is_refused() throws Exception {
        assertRefused(Duration.ofDays(20), topic, "It would take effect again");
        SharedKafka.create(topic + ".short", 1, Map.of("retention.ms", "3600000", "segment.ms", "3600000"));
        assertRefused(Duration.ofDays(15), topic + ".short", "the broker keeps messages for PT2H6M");
        planOf(Duration.ofDays(16), topic + ".short").start().close();
        SharedKafka.create(topic + ".ever", 1, Map.of("retention.ms", "-1"));
        assertRefused(Duration.ofDays(365), topic + ".ever", "is kept for ever");
        SharedKafka.create(topic + ".compacted", 1, Map.of("cleanup.policy", "compact"));
        assertRefused(Duration.ofDays(365), topic + ".compacted", "is kept for ever");
        planOf(Duration.ofDays(30), topic + ".ever")
                .rereadsAtMost(Duration.ofDays(3))
                .start()
                .close();
    }

    @Test
    void mistakes_are_told_before_anything_is_received() {
        assertRefused(WINDOW.keep(), "none", "Kafka has no topic none");
        Receiver receiver = Receiver.of(inbox, consumer, this::write);
        String url = SharedKafka.server().url();
        assertTrue(String.valueOf(assertThrows(
                                IllegalStateException.class,
                                () -> KafkaReceiver.of(url, receiver)
                                        .topics(topic)
                                        .deadLettersTo("none")
                                        .start())
                        .getMessage())
                .contains("none"));
        for (String setting :
                List.of("isolation.level=read_uncommitted", "enable.auto.commit=true", "fetch.min.bytes=x"))
            assertThrows(
                    IllegalArgumentException.class,
                    () -> KafkaReceiver.of(url + "?" + setting, receiver)
                            .topics(topic)
                            .start());
        assertThrows(
                IllegalArgumentException.class,
                () -> KafkaReceiver.of(url, receiver).start());
        assertThrows(
                IllegalArgumentException.class,
                () -> KafkaReceiver.of(url, receiver)
                        .topics(topic)
                        .deadLettersTo(topic)
                        .start());
    }

    private void assertRefused(Duration keep, String topic, String named) {
        String message = String.valueOf(assertThrows(
                        IllegalStateException.class, () -> planOf(keep, topic).start(), topic)
                .getMessage());
        assertTrue(message.contains(named), message);
    }

    private KafkaReceiver.Plan planOf(Duration keep, String topic) {
        try {
            Inbox other = Inbox.open(database, new InboxWindow(keep));
            return KafkaReceiver.of(SharedKafka.server().url(), Receiver.of(other, consumer, this::write))
                    .topics(topic);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private KafkaReceiver start(MessageHandler handler) {
        return plan(handler).start();
    }

    private KafkaReceiver.Plan plan(MessageHandler handler) {
        return KafkaReceiver.of(SharedKafka.server().url(), Receiver.of(inbox, consumer, handler))
                .topics(topic)
                .heardBy(events::add);
    }

    private OutgoingMessage send(String key, int body) throws Exception {
        OutgoingMessage message = new OutgoingMessage(
                TimeOrderedId.next(), topic, key, "order.paid", Map.of(), bytes(body), Instant.now());
        var sent = producer.send(records.record(message));
        if (body < 100) sent.get();
        return message;
    }

    private static org.apache.kafka.common.header.Header id(String id) {
        return new org.apache.kafka.common.header.internals.RecordHeader("ce_id", id.getBytes(UTF_8));
    }

    private static byte[] bytes(int body) {
        return Integer.toString(body).getBytes(UTF_8);
    }

    private static int body(IncomingMessage message) {
        return Integer.parseInt(new String(message.payload(), UTF_8));
    }

    private static int partitionOf(String key) {
        return org.apache.kafka.common.utils.Utils.toPositive(
                        org.apache.kafka.common.utils.Utils.murmur2(key.getBytes(UTF_8)))
                % 3;
    }

    /** Some other keys that share this partition. */
    private static List<String> sameKeys(int partition) {
        return java.util.stream.IntStream.range(0, 100)
                .mapToObj(i -> "n" + i)
                .filter(key -> partitionOf(key) == partition)
                .limit(5)
                .toList();
    }

    private static String keyOutside(int partition) {
        return java.util.stream.IntStream.range(0, 100)
                .mapToObj(i -> "o" + i)
                .filter(key -> partitionOf(key) != partition)
                .findFirst()
                .orElseThrow();
    }

    private void write(Connection transaction, IncomingMessage message) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into effect (consumer, message, key, body) values (?, ?, ?, ?)")) {
            insert.setString(1, consumer);
            insert.setString(2, message.id());
            insert.setString(3, message.key());
            insert.setString(4, new String(message.payload(), UTF_8));
            insert.executeUpdate();
        }
    }

    private List<String> effects() throws SQLException {
        return column("message", null);
    }

    private List<Integer> bodies(String key) throws SQLException {
        return column("body", key).stream().map(Integer::valueOf).toList();
    }

    private List<String> column(String column, @Nullable String key) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement("select " + column
                        + " from effect where consumer = ? and (?::text is null or key = ?::text) order by n")) {
            query.setString(1, consumer);
            query.setString(2, key);
            query.setString(3, key);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) values.add(rows.getString(1));
            }
        }
        return values;
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** As Kafka knows it, of all partitions together. */
    private long committed() throws Exception {
        return offsets().values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }

    private long committed(int partition) throws Exception {
        OffsetAndMetadata offset = offsets().get(new TopicPartition(topic, partition));
        return offset == null ? 0 : offset.offset();
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets() throws Exception {
        try {
            return SharedKafka.admin()
                    .listConsumerGroupOffsets(consumer)
                    .partitionsToOffsetAndMetadata()
                    .get();
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.GroupIdNotFoundException) return Map.of();
            throw e;
        }
    }

    private interface Question {
        boolean isTrue() throws Exception;
    }

    private static void await(Question question) throws Exception {
        while (!question.isTrue()) LockSupport.parkNanos(2_000_000);
    }
}
