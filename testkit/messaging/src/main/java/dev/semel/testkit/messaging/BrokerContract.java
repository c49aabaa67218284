package dev.semel.testkit.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.PublisherFencedException;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The laws that every {@link Broker} keeps. A broker's test extends this, says how to reach a real server, and adds what only that
 * broker can get wrong. All tests may share one broker: each uses topics and a shard of its own.
 */
public abstract class BrokerContract extends BrokerScene {

    @Nested
    public class Order {
        @Test
        void messages_of_a_key_arrive_in_order_within_a_shipment_and_over_many() throws Exception {
            String topic = newTopic();
            List<String> expected = new ArrayList<>();
            try (Publisher publisher = broker().open(newLease())) {
                for (int shipment = 0; shipment < 5; shipment++) {
                    List<OutgoingMessage> messages = new ArrayList<>();
                    for (int i = 0; i < 40; i++) messages.add(message(topic, "k" + i % 7, shipment * 40 + i));
                    assertAllSent(publisher.publish(messages));
                    messages.forEach(it -> expected.add(it.key() + " " + new String(it.payload(), UTF_8)));
                }
            }
            List<ArrivedMessage> arrived = arrived(topic, 200);
            for (int key = 0; key < 7; key++) {
                String prefix = "k" + key + " ";
                assertEquals(
                        expected.stream().filter(it -> it.startsWith(prefix)).toList(),
                        arrived.stream()
                                .map(it -> it.key() + " " + body(it))
                                .filter(it -> it.startsWith(prefix))
                                .toList());
            }
            assertEquals(200, arrived.size(), "and each once");
        }

        @Test
        void a_message_that_is_refused_for_good_is_not_overtaken_and_other_keys_go_on() throws Exception {
            String topic = newName();
            createSmall(topic);
            try (Publisher publisher = broker().open(newLease())) {
                List<Delivery> deliveries = publisher.publish(List.of(
                        message(topic, "bad", 0),
                        message(topic, "bad", new byte[tooLarge()], Map.of()),
                        message(topic, "good", 1),
                        message(topic, "bad", 2),
                        message(topic, "bad", 3),
                        message(topic, "good", 4),
                        message(topic, null, 5)));
                assertEquals(
                        "too-large",
                        assertInstanceOf(Delivery.Dead.class, deliveries.get(1)).kind());
                for (int sent : List.of(0, 2, 5, 6)) assertInstanceOf(Delivery.Sent.class, deliveries.get(sent));
                for (int behind : List.of(3, 4))
                    assertEquals(
                            Delivery.Cause.ORDER,
                            assertInstanceOf(Delivery.Retry.class, deliveries.get(behind))
                                    .cause());
                assertArrived(arrived(topic, 4), "bad", 0);
                assertArrived(arrived(topic, 4), "good", 1, 4);

                assertAllSent(publisher.publish(List.of(message(topic, "bad", 2), message(topic, "bad", 3))));
                assertArrived(arrived(topic, 6), "bad", 0, 2, 3);
            }
        }

        @Test
        void many_that_are_too_large_do_not_hold_up_the_others() throws Exception {
            String topic = newName();
            createSmall(topic);
            List<OutgoingMessage> messages = new ArrayList<>();
            for (int i = 0; i < 30; i++)
                messages.add(
                        i % 6 == 0
                                ? message(topic, "bad" + i, new byte[tooLarge()], Map.of())
                                : message(topic, "good", i));
            try (Publisher publisher = broker().open(newLease())) {
                // What is not known yet is asked for again, as the relay does.
                for (List<OutgoingMessage> left = messages; !left.isEmpty(); left = unknown(publisher, left)) {}
            }
            List<ArrivedMessage> arrived = arrived(topic, 25);
            assertEquals(25, arrived.size());
            assertArrived(
                    arrived,
                    "good",
                    messages.stream()
                            .filter(it -> "good".equals(it.key()))
                            .map(it -> new String(it.payload(), UTF_8))
                            .toArray());
        }

        private static List<OutgoingMessage> unknown(Publisher publisher, List<OutgoingMessage> messages)
                throws InterruptedException {
            List<Delivery> deliveries = publisher.publish(messages);
            List<OutgoingMessage> left = new ArrayList<>();
            for (int i = 0; i < messages.size(); i++)
                if (deliveries.get(i) instanceof Delivery.Retry) left.add(messages.get(i));
            return left;
        }

        @Test
        void a_topic_that_does_not_exist_is_told_and_its_messages_arrive_in_order_when_it_does() throws Exception {
            assumeTrue(knowsTopics(), "this broker does not tell");
            String missing = newName();
            String topic = newTopic();
            try (Publisher publisher = broker().open(newLease())) {
                List<OutgoingMessage> messages =
                        List.of(message(missing, "k", 1), message(topic, "k", 2), message(missing, "k", 3));
                List<Delivery> deliveries = publisher.publish(messages);
                assertInstanceOf(Delivery.Sent.class, deliveries.get(1), "another topic goes on");
                String reason = switch (deliveries.get(0)) {
                    case Delivery.Retry(String why, Delivery.Cause cause) -> {
                        assertEquals(Delivery.Cause.MESSAGE, cause);
                        yield why;
                    }
                    case Delivery.Dead(String kind, String why) -> why;
                    case Delivery.Sent it -> throw new AssertionError(it);
                };
                assertTrue(reason.contains(missing), reason);
                assertTrue(!(deliveries.get(2) instanceof Delivery.Sent), "not overtaken");

                create(missing);
                List<OutgoingMessage> again = List.of(messages.get(0), messages.get(2));
                while (deliveries.stream().anyMatch(it -> !(it instanceof Delivery.Sent)))
                    deliveries = publisher.publish(again);
                assertArrived(arrived(missing, 2), "k", 1, 3);
            }
        }
    }

    @Nested
    public class Contents {
        @Test
        void id_topic_key_type_headers_and_payload_arrive() throws Exception {
            String topic = newTopic();
            byte[] binary = new byte[3000];
            new Random(7).nextBytes(binary);
            String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            OutgoingMessage full = message(
                    topic,
                    "Grüße/1 2",
                    binary,
                    Map.of("traceparent", trace, "content-type", "application/x-thing", "a", "b: ç", "empty", ""));
            OutgoingMessage bare = message(topic, null, new byte[0], Map.of());
            try (Publisher publisher = broker().open(newLease())) {
                assertAllSent(publisher.publish(List.of(full, bare)));
            }
            List<ArrivedMessage> arrived = arrived(topic, 2);
            assertIs(
                    full,
                    arrived.stream().filter(it -> it.key() != null).findFirst().orElseThrow());
            assertIs(
                    bare,
                    arrived.stream().filter(it -> it.key() == null).findFirst().orElseThrow());
        }

        private static void assertIs(OutgoingMessage sent, ArrivedMessage arrived) {
            assertEquals(sent.key(), arrived.key());
            assertArrayEquals(sent.payload(), arrived.payload());
            Map<String, String> attributes = arrived.attributes();
            assertEquals(sent.id().toString(), attributes.get("id"));
            assertEquals(sent.type(), attributes.get("type"));
            assertEquals("1.0", attributes.get("specversion"));
            assertEquals(SOURCE, attributes.get("source"));
            assertEquals(sent.appendedAt(), Instant.parse(attributes.getOrDefault("time", "none")));
            assertEquals(sent.key(), attributes.get("subject"));
            sent.headers()
                    .forEach((name, value) ->
                            assertEquals(value, arrived.headers().get(name), name));
            if (sent.headers().isEmpty()) assertNull(arrived.headers().get("traceparent"));
        }

        @Test
        void a_large_payload_arrives_whole() throws Exception {
            String topic = newTopic();
            byte[] large = new byte[largest()];
            Arrays.fill(large, (byte) 'x');
            try (Publisher publisher = broker().open(newLease())) {
                assertAllSent(publisher.publish(List.of(message(topic, "k", large, Map.of()), message(topic, "k", 2))));
            }
            List<ArrivedMessage> arrived = arrived(topic, 2);
            assertArrayEquals(large, arrived.getFirst().payload());
            assertEquals("2", body(arrived.getLast()));
        }
    }

    /** So many bytes of payload a topic takes that nothing was said about. */
    protected int largest() {
        return 1024 * 1024 - 10 * 1024;
    }

    @Nested
    public class Failing {
        @Test
        void a_broker_that_does_not_answer_is_not_waited_for_longer_than_it_says() throws Exception {
            String topic = newTopic();
            try (Publisher publisher = broker().open(newLease())) {
                assertAllSent(publisher.publish(List.of(message(topic, "k", 1))));
                List<OutgoingMessage> messages = List.of(message(topic, "k", 2), message(topic, "j", 3));
                pause();
                long began = System.nanoTime();
                try {
                    assertAway(publisher, messages);
                    assertThrows(BrokerException.class, () -> broker().open(newLease()));
                } finally {
                    resume();
                }
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                Duration allowed = broker().longestPublish().multipliedBy(2);
                assertTrue(took.compareTo(allowed) < 0, took + " for two calls, each of " + broker().longestPublish());

                sendUntilItIsThere(publisher, messages);
            }
            List<ArrivedMessage> arrived = arrived(topic, 3);
            assertEquals("1", body(arrived.getFirst()));
            assertEquals(3, arrived.stream().map(ArrivedMessage::id).distinct().count());
        }

        private static void assertAway(Publisher publisher, List<OutgoingMessage> messages)
                throws InterruptedException {
            try {
                for (Delivery delivery : publisher.publish(messages))
                    assertEquals(
                            Delivery.Cause.BROKER,
                            assertInstanceOf(Delivery.Retry.class, delivery).cause());
            } catch (BrokerException e) {
                assertTrue(!(e instanceof PublisherFencedException), "nobody else has the shard");
            }
        }

        private static void sendUntilItIsThere(Publisher publisher, List<OutgoingMessage> messages)
                throws InterruptedException {
            List<OutgoingMessage> left = messages;
            while (!left.isEmpty())
                try {
                    List<Delivery> deliveries = publisher.publish(left);
                    List<OutgoingMessage> tried = left;
                    left = tried.stream()
                            .filter(it -> !(deliveries.get(tried.indexOf(it)) instanceof Delivery.Sent))
                            .toList();
                } catch (PublisherFencedException e) {
                    throw e;
                } catch (BrokerException e) {
                    // It is not back yet.
                }
        }

        @Test
        void who_leased_the_shard_before_cannot_send_any_more() throws Exception {
            assumeTrue(fences(), "this broker cannot tell");
            String topic = newTopic();
            int shard = newShard();
            try (Publisher former = broker().open(new ShardLease(shard, 1))) {
                assertAllSent(former.publish(List.of(message(topic, "k", 1))));
                try (Publisher latter = broker().open(new ShardLease(shard, 2))) {
                    assertThrows(
                            PublisherFencedException.class, () -> former.publish(List.of(message(topic, "k", -1))));
                    assertAllSent(latter.publish(List.of(message(topic, "k", 2))));
                    assertThrows(
                            PublisherFencedException.class, () -> former.publish(List.of(message(topic, "k", -2))));
                    assertAllSent(latter.publish(List.of(message(topic, "k", 3))));
                }
            }
            assertArrived(arrived(topic, 3), "k", 1, 2, 3);
        }

        @Test
        void a_broker_says_where_it_is_and_how_long_it_takes() {
            Broker broker = broker();
            assertTrue(!broker.longestPublish().isZero()
                    && !broker.longestPublish().isNegative());
            assertTrue(!broker.name().isBlank());
        }
    }
}
