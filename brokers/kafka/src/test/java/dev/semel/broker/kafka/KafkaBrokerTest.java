package dev.semel.broker.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.messaging.BrokerContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedKafka.class)
@Timeout(60)
class KafkaBrokerTest extends BrokerContract {
    private static final AtomicInteger SHARDS = new AtomicInteger();
    private static final String QUICK = "?max.block.ms=1500&request.timeout.ms=1200&delivery.timeout.ms=2500";

    private final Broker broker = KafkaBroker.open(SharedKafka.server().url() + QUICK, SOURCE);

    @Override
    protected Broker broker() {
        return broker;
    }

    @Override
    protected int newShard() {
        return SHARDS.getAndIncrement();
    }

    @Override
    protected String newName() {
        return "t-" + UUID.randomUUID();
    }

    @Override
    protected void create(String topic) throws ExecutionException, InterruptedException {
        SharedKafka.create(topic, 3, Map.of());
    }

    @Override
    protected void createSmall(String topic) throws ExecutionException, InterruptedException {
        SharedKafka.create(topic, 3, Map.of("max.message.bytes", "20000"));
    }

    @Override
    protected int tooLarge() {
        return 30_000;
    }

    @Override
    protected List<ArrivedMessage> arrived(String topic, int atLeast) {
        return SharedKafka.arrived(topic, atLeast);
    }

    @Override
    protected void pause() {
        SharedKafka.server().pause();
    }

    @Override
    protected void resume() {
        SharedKafka.server().resume();
    }

    @Test
    void a_shipment_goes_on_after_the_broker_was_killed() throws Exception {
        String topic = newTopic();
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(List.of(message(topic, "k", 1))));
            SharedKafka.server().kill9();
            List<OutgoingMessage> next = List.of(message(topic, "k", 2));
            assertThrows(BrokerException.class, () -> publisher.publish(next));
            SharedKafka.server().restart();
            while (true)
                try {
                    assertAllSent(publisher.publish(next));
                    break;
                } catch (BrokerException e) {
                    // It is still starting.
                }
        }
        List<ArrivedMessage> arrived = arrived(topic, 2);
        assertEquals("1", body(arrived.getFirst()));
        assertEquals(2, arrived.stream().map(ArrivedMessage::id).distinct().count());
    }

    @Test
    void what_a_dead_relay_left_open_is_taken_back_by_the_next_and_holds_up_nobody() throws Exception {
        String topic = newTopic();
        int shard = newShard();
        Properties same = new Properties();
        same.setProperty("bootstrap.servers", SharedKafka.server().bootstrap());
        KafkaRecords records = new KafkaRecords(SOURCE);
        KafkaProducer<byte[], byte[]> dead = new ShardProducers(ProducerSettings.of(same, "-contract"), shard).open();
        dead.beginTransaction();
        dead.send(records.record(message(topic, "k", 1))).get();
        ShardProducers.close(dead);
        try (Publisher publisher = broker.open(new dev.semel.messaging.broker.ShardLease(shard, 2))) {
            assertAllSent(publisher.publish(List.of(message(topic, "k", 2))));
        }
        assertArrived(arrived(topic, 1), "k", 2);
    }

    @Test
    void a_shipment_larger_than_a_transaction_arrives_in_order() throws Exception {
        String topic = newTopic();
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 12; i++) messages.add(message(topic, "k", new byte[900_000 + i], Map.of()));
        try (Publisher publisher = broker.open(newLease())) {
            for (List<OutgoingMessage> left = messages; !left.isEmpty(); ) {
                List<Delivery> deliveries = publisher.publish(left);
                int sent = (int) deliveries.stream()
                        .filter(it -> it instanceof Delivery.Sent)
                        .count();
                for (int i = 0; i < sent; i++) assertInstanceOf(Delivery.Sent.class, deliveries.get(i));
                left = left.subList(sent, left.size());
            }
        }
        assertEquals(
                messages.stream().map(it -> it.id().toString()).toList(),
                arrived(topic, 12).stream().map(ArrivedMessage::id).toList());
    }

    @Test
    void a_topic_that_kafka_cannot_have_is_a_dead_letter() throws Exception {
        try (Publisher publisher = broker.open(newLease())) {
            Delivery.Dead dead = assertInstanceOf(
                    Delivery.Dead.class,
                    publisher.publish(List.of(message("orders/paid", "k", 1))).getFirst());
            assertEquals("invalid-topic", dead.kind());
            assertTrue(dead.reason().contains("orders/paid"), dead.reason());
        }
    }

    @Test
    void a_message_without_a_key_in_a_compacted_topic_is_a_dead_letter() throws Exception {
        String topic = newName();
        SharedKafka.create(topic, 1, Map.of("cleanup.policy", "compact"));
        try (Publisher publisher = broker.open(newLease())) {
            List<Delivery> deliveries =
                    publisher.publish(List.of(message(topic, "a", 1), message(topic, null, 2), message(topic, "b", 3)));
            assertEquals(
                    "invalid",
                    assertInstanceOf(Delivery.Dead.class, deliveries.get(1)).kind());
            assertInstanceOf(Delivery.Sent.class, deliveries.get(0));
            assertInstanceOf(Delivery.Sent.class, deliveries.get(2));
        }
        assertEquals(2, arrived(topic, 2).size());
    }

    @Test
    void nothing_is_left_running_when_a_publisher_is_closed() {
        int shard = newShard();
        Publisher publisher = broker.open(new dev.semel.messaging.broker.ShardLease(shard, 1));
        String thread = "semel--contract-" + shard;
        assertTrue(isRunning(thread));
        publisher.close();
        assertTrue(!isRunning(thread));
    }

    private static boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(it -> it.getName().endsWith(thread));
    }

    @Test
    void wrong_settings_are_refused_before_anything_is_connected() {
        assertRefused("localhost:9092", "kafka://host:port");
        assertRefused("kafka://localhost:9092?acks=1", "acks");
        assertRefused("kafka://localhost:9092?transactional.id=x", "transactional.id");
        assertRefused("kafka://localhost:9092?delivery.timeout.ms=soon", "delivery.timeout.ms");
        assertRefused("kafka://localhost:9092?namespace=a/b", "namespace");
        assertRefused("kafka://", "bootstrap");
        assertRefused("kafka://localhost:9092?", "question mark");
        assertThrows(IllegalArgumentException.class, () -> KafkaBroker.open("kafka://localhost:9092", ""));
        assertEquals(
                "Kafka at a:1,b:2",
                KafkaBroker.open("kafka://127.0.0.1:1?sasl.jaas.config=secret", "/x")
                        .name()
                        .replace("127.0.0.1:1", "a:1,b:2"));
    }

    private static void assertRefused(String url, String named) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> KafkaBroker.open(url, "/orders"), url)
                        .getMessage());
        assertTrue(message.contains(named), message);
    }
}
