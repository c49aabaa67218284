package dev.semel.broker.rabbitmq;

import static dev.semel.broker.rabbitmq.SharedRabbitMq.on;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.messaging.BrokerContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedRabbitMq.class)
@Timeout(60)
class RabbitMqBrokerTest extends BrokerContract {
    private static final AtomicInteger SHARDS = new AtomicInteger();
    private static final String QUICK = "/?connect-timeout=2s&publish-timeout=2s";

    private final Broker broker = RabbitMqBroker.open(SharedRabbitMq.server().url() + QUICK, SOURCE);

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
    protected void create(String topic) {
        SharedRabbitMq.create(topic, Map.of());
    }

    /** There is one limit for the whole server, which is larger than all that comes from an outbox. */
    @Override
    protected void createSmall(String topic) {
        create(topic);
    }

    @Override
    protected int tooLarge() {
        return SharedRabbitMq.LARGEST + 1;
    }

    @Override
    protected List<ArrivedMessage> arrived(String topic, int atLeast) {
        return SharedRabbitMq.arrived(topic, atLeast);
    }

    @Override
    protected void pause() {
        SharedRabbitMq.server().pause();
    }

    @Override
    protected void resume() {
        SharedRabbitMq.server().resume();
    }

    @Override
    protected boolean fences() {
        return false;
    }

    @Test
    void a_lost_confirm_is_no_confirm_and_the_message_comes_again_with_its_id() throws Exception {
        String topic = newTopic();
        try (Proxy proxy = new Proxy(SharedRabbitMq.server().port());
                Publisher publisher =
                        RabbitMqBroker.open(proxy.url() + QUICK, SOURCE).open(newLease())) {
            assertAllSent(publisher.publish(List.of(message(topic, "k", 1))));
            proxy.mute();
            List<OutgoingMessage> next = List.of(message(topic, "k", 2), message(topic, "k", 3));
            List<Delivery> deliveries = publisher.publish(next);
            assertEquals(Delivery.Cause.BROKER, retry(deliveries.get(0)).cause());
            assertEquals(Delivery.Cause.ORDER, retry(deliveries.get(1)).cause());
            proxy.cut();
            assertAllSent(publisher.publish(next));
        }
        assertArrived(arrived(topic, 4), "k", 1, 2, 2, 3);
        assertEquals(
                3, arrived(topic, 4).stream().map(ArrivedMessage::id).distinct().count());
    }

    @Test
    void a_server_that_stops_reading_is_not_waited_for_longer_than_it_says() throws Exception {
        String topic = newTopic();
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 40; i++) messages.add(message(topic, "k" + i, new byte[1_000_000], Map.of()));
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(messages.subList(0, 1)));
            pause();
            long began = System.nanoTime();
            try {
                for (Delivery delivery : publisher.publish(messages))
                    assertEquals(Delivery.Cause.BROKER, retry(delivery).cause());
            } finally {
                resume();
            }
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertTrue(took.compareTo(broker.longestPublish()) < 0, took.toString());
        }
    }

    @Test
    void a_topic_is_a_routing_key_at_an_exchange_and_one_that_nobody_is_bound_for_is_told() throws Exception {
        String topic = newName();
        String queue = SharedRabbitMq.newQueue(Map.of());
        try (Publisher publisher = withUrl("/?exchange=topics").open(newLease())) {
            OutgoingMessage message = message(topic, "k", 1);
            Delivery.Retry retry = retry(publisher.publish(List.of(message)).getFirst());
            assertEquals(Delivery.Cause.MESSAGE, retry.cause());
            assertTrue(retry.reason().contains(topic) && retry.reason().contains("topics"), retry.reason());
            on(channel -> channel.queueBind(queue, "topics", topic));
            assertAllSent(publisher.publish(List.of(message)));
        }
        assertArrived(arrived(queue, 1), "k", 1);
    }

    @Test
    void an_exchange_that_does_not_exist_holds_everything_up_and_nothing_is_a_dead_letter() throws Exception {
        String exchange = newName();
        BrokerException none = assertThrows(
                BrokerException.class, () -> withUrl("/?exchange=" + exchange).open(newLease()));
        assertTrue(String.valueOf(none.getMessage()).contains("no exchange " + exchange), none.getMessage());

        String topic = newTopic();
        on(channel -> channel.exchangeDeclare(exchange, "direct", true));
        on(channel -> channel.queueBind(topic, exchange, topic));
        List<OutgoingMessage> messages = List.of(message(topic, "a", 1), message(topic, "b", 2));
        try (Publisher publisher = withUrl("/?exchange=" + exchange).open(newLease())) {
            on(channel -> channel.exchangeDelete(exchange));
            for (Delivery delivery : publisher.publish(messages)) {
                assertEquals(Delivery.Cause.BROKER, retry(delivery).cause());
                assertTrue(retry(delivery).reason().contains("no exchange " + exchange));
            }
            on(channel -> channel.exchangeDeclare(exchange, "direct", true));
            on(channel -> channel.queueBind(topic, exchange, topic));
            assertAllSent(publisher.publish(messages));
        }
        assertEquals(2, arrived(topic, 2).size());
    }

    @Test
    void a_queue_that_is_full_refuses_what_does_not_fit_and_is_not_overtaken() throws Exception {
        String topic = newName();
        SharedRabbitMq.create(
                topic, Map.of("x-queue-type", "classic", "x-max-length", 2, "x-overflow", "reject-publish"));
        String other = newTopic();
        try (Publisher publisher = broker.open(newLease())) {
            List<OutgoingMessage> messages = new ArrayList<>();
            for (int i = 0; i < 6; i++) messages.add(message(topic, "k", i));
            messages.add(message(other, "k", 7));
            List<Delivery> deliveries = publisher.publish(messages);
            int sent = (int) deliveries.subList(0, 6).stream()
                    .filter(it -> it instanceof Delivery.Sent)
                    .count();
            assertTrue(sent < 6, "the queue was never full");
            assertEquals(Delivery.Cause.MESSAGE, retry(deliveries.get(sent)).cause());
            assertTrue(retry(deliveries.get(sent)).reason().contains("full"));
            for (Delivery behind : deliveries.subList(sent + 1, 6))
                assertEquals(Delivery.Cause.ORDER, retry(behind).cause());
            assertInstanceOf(Delivery.Sent.class, deliveries.getLast(), "another queue goes on");
            assertEquals(sent, arrived(topic, sent).size());
            assertInstanceOf(
                    Delivery.Sent.class,
                    publisher.publish(messages.subList(sent, sent + 1)).getFirst());
        }
    }

    @Test
    void who_may_not_write_is_told_and_one_topic_that_is_forbidden_holds_up_no_other() throws Exception {
        String queue = SharedRabbitMq.newQueue(Map.of());
        on(channel -> channel.queueBind(queue, "topics", "open.#"));
        try (Publisher publisher = as("writes-nothing", "p%40ss%3A%2F", "").open(newLease())) {
            for (Delivery delivery : publisher.publish(List.of(message(queue, "a", 1), message(queue, "b", 2)))) {
                assertEquals(Delivery.Cause.BROKER, retry(delivery).cause());
                assertTrue(retry(delivery).reason().contains("writes-nothing"));
            }
        }
        try (Publisher publisher =
                as("writes-some", "secret", "?exchange=topics").open(newLease())) {
            List<OutgoingMessage> messages = new ArrayList<>();
            for (int i = 0; i < 7; i++) messages.add(message("open." + i, "k", i));
            messages.add(3, message("closed.1", "k", -1));
            messages.add(6, message("closed.2", "k", -2));
            List<Delivery> deliveries = publisher.publish(messages);
            for (int i = 0; i < messages.size(); i++)
                if (i == 3 || i == 6) {
                    assertEquals(
                            Delivery.Cause.MESSAGE, retry(deliveries.get(i)).cause());
                    String reason = retry(deliveries.get(i)).reason();
                    assertTrue(reason.contains(messages.get(i).topic()), reason);
                } else assertInstanceOf(Delivery.Sent.class, deliveries.get(i));
        }
        assertEquals(
                List.of("0", "1", "2", "3", "4", "5", "6"),
                arrived(queue, 7).stream()
                        .map(it -> body(it))
                        .distinct()
                        .sorted()
                        .toList());
    }

    @Test
    void a_server_that_cannot_be_reached_or_does_not_let_in_says_so_without_the_password() {
        for (Broker away : List.of(
                RabbitMqBroker.open("amqp://guest:geheim@127.0.0.1:1", SOURCE),
                as("guest", "geheim", ""),
                as("nobody", "geheim", ""),
                withUrl("/nowhere"))) {
            BrokerException refused = assertThrows(BrokerException.class, () -> away.open(newLease()));
            String message = String.valueOf(refused.getMessage());
            assertTrue(!message.contains("geheim"), message);
            assertTrue(message.matches("(?s).*(refused|does not let the user|nowhere).*"), message);
            assertTrue(!away.name().contains("geheim") && !away.name().contains("guest"), away.name());
        }
    }

    @Test
    void a_virtual_host_with_odd_characters_is_found() throws Exception {
        RabbitMqBroker odd = withUrl("/a%20b%2Fc");
        try (Publisher publisher = odd.open(newLease())) {
            Delivery.Retry retry =
                    retry(publisher.publish(List.of(message("nothing", "k", 1))).getFirst());
            assertEquals(Delivery.Cause.MESSAGE, retry.cause());
        }
        assertTrue(odd.name().endsWith("/a b/c"), odd.name());
    }

    @Test
    void what_does_not_fit_into_amqp_is_a_dead_letter_and_the_others_go_on() throws Exception {
        String topic = newTopic();
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 64; i++) many.put("h" + i, "x".repeat(4000));
        try (Publisher publisher = broker.open(newLease())) {
            List<Delivery> deliveries = publisher.publish(List.of(
                    message(topic, "a", 1),
                    message(topic, "b", new byte[1], Map.of("CC", "elsewhere")),
                    message(topic, "c", new byte[1], many),
                    message(topic, "d", 4),
                    message(topic, "e", new byte[1], Map.of("content-type", "x".repeat(4000))),
                    message(topic, "c", 6)));
            for (int dead : List.of(1, 2))
                assertEquals(
                        "invalid",
                        assertInstanceOf(Delivery.Dead.class, deliveries.get(dead))
                                .kind());
            for (int sent : List.of(0, 3, 4)) assertInstanceOf(Delivery.Sent.class, deliveries.get(sent));
            assertEquals(Delivery.Cause.ORDER, retry(deliveries.get(5)).cause());
        }
        assertEquals(3, arrived(topic, 3).size());
    }

    @Test
    void a_server_that_is_low_on_memory_is_waited_for() throws Exception {
        String topic = newTopic();
        List<OutgoingMessage> messages = List.of(message(topic, "a", 1), message(topic, "b", 2));
        try (Publisher publisher = broker.open(newLease())) {
            SharedRabbitMq.server().control("set_vm_memory_high_watermark", "0.000001");
            try {
                List<Delivery> deliveries = publisher.publish(messages);
                // The first may still be taken, before the server notices that somebody publishes.
                while (deliveries.stream().allMatch(it -> it instanceof Delivery.Sent))
                    deliveries = publisher.publish(messages);
                deliveries = publisher.publish(messages);
                for (Delivery delivery : deliveries) {
                    assertEquals(Delivery.Cause.BROKER, retry(delivery).cause());
                    assertTrue(
                            retry(delivery).reason().contains("memory"),
                            retry(delivery).reason());
                }
            } finally {
                SharedRabbitMq.server().control("set_vm_memory_high_watermark", "0.6");
            }
            while (publisher.publish(messages).stream().anyMatch(it -> !(it instanceof Delivery.Sent))) {}
        }
        List<String> ids = arrived(topic, 2).stream().map(ArrivedMessage::id).toList();
        assertEquals(2, ids.stream().distinct().count());
    }

    @Test
    void other_programs_find_the_parts_of_a_message_where_amqp_has_them() throws Exception {
        String topic = newTopic();
        OutgoingMessage sent = message(topic, "k", "{}".getBytes(UTF_8), Map.of("content-type", "application/json"));
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(List.of(sent)));
        }
        GetResponse raw = on(channel -> channel.basicGet(topic, true));
        AMQP.BasicProperties properties = raw.getProps();
        assertEquals(sent.id().toString(), properties.getMessageId());
        assertEquals("order.paid", properties.getType());
        assertEquals("application/json", properties.getContentType());
        assertEquals(2, properties.getDeliveryMode());
        assertEquals(
                Date.from(sent.appendedAt()).getTime() / 1000,
                properties.getTimestamp().getTime() / 1000);
        assertEquals("k", properties.getHeaders().get("semel-key").toString());
    }

    @Test
    void nothing_is_left_running_when_a_publisher_is_closed() throws Exception {
        long before = threads();
        Publisher publisher = broker.open(new ShardLease(newShard(), 1));
        assertTrue(threads() > before);
        publisher.close();
        for (Thread thread : Thread.getAllStackTraces().keySet())
            if (thread.getName().startsWith("semel-rabbitmq-") && threads() > before) thread.join(5000);
        assertTrue(threads() <= before);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(it -> it.isAlive() && it.getName().matches("semel-rabbitmq-\\d+"))
                .count();
    }

    private static Delivery.Retry retry(Delivery delivery) {
        return assertInstanceOf(Delivery.Retry.class, delivery);
    }

    private static RabbitMqBroker withUrl(String rest) {
        return RabbitMqBroker.open(SharedRabbitMq.server().url() + rest, SOURCE);
    }

    private static RabbitMqBroker as(String user, String password, String settings) {
        return RabbitMqBroker.open(
                "amqp://" + user + ":" + password + "@127.0.0.1:"
                        + SharedRabbitMq.server().port() + "/" + settings,
                SOURCE);
    }
}
