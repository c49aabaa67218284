package dev.semel.broker.nats;

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
import dev.semel.testkit.nats.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Nats;
import io.nats.client.api.DiscardPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedNats.class)
@SuppressWarnings("try") // closing a connection may be interrupted, as anything else here
@Timeout(60)
class NatsBrokerTest extends BrokerContract {
    private static final AtomicInteger SHARDS = new AtomicInteger();
    private static final String QUICK = "?connect-timeout=500ms&ack-timeout=500ms";

    private final Broker broker = NatsBroker.open(SharedNats.server().url() + QUICK, SOURCE);

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
        return "t." + UUID.randomUUID() + ".orders:new/1";
    }

    @Override
    protected void create(String topic) throws Exception {
        SharedNats.create(topic, stream -> stream);
    }

    @Override
    protected void createSmall(String topic) throws Exception {
        SharedNats.create(topic, stream -> stream.maximumMessageSize(20_000));
    }

    @Override
    protected int tooLarge() {
        return 30_000;
    }

    @Override
    protected List<ArrivedMessage> arrived(String topic, int atLeast) throws Exception {
        return SharedNats.arrived(topic, atLeast);
    }

    @Override
    protected void pause() {
        SharedNats.server().pause();
    }

    @Override
    protected void resume() {
        SharedNats.server().resume();
    }

    @Override
    protected boolean fences() {
        return false;
    }

    @Test
    void what_was_sent_before_counts_as_sent_and_arrives_once() throws Exception {
        String topic = newTopic();
        List<OutgoingMessage> messages = List.of(message(topic, "k", 1), message(topic, null, 2));
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(messages));
            assertAllSent(publisher.publish(messages));
        }
        assertEquals(2, arrived(topic, 2).size());
    }

    @Test
    void a_shipment_goes_on_after_the_broker_was_killed() throws Exception {
        String topic = newTopic();
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(List.of(message(topic, "k", 1))));
            SharedNats.server().kill9();
            List<OutgoingMessage> next = List.of(message(topic, "k", 2), message(topic, "k", 3));
            assertAway(() -> publisher.publish(next));
            assertAway(() -> publisher.publish(next));
            SharedNats.server().restart();
            assertAllSent(publisher.publish(next));
        }
        assertArrived(arrived(topic, 3), "k", 1, 2, 3);
    }

    private interface Publishing {
        List<Delivery> run() throws InterruptedException;
    }

    private static void assertAway(Publishing publishing) throws InterruptedException {
        try {
            Delivery.Retry first =
                    assertInstanceOf(Delivery.Retry.class, publishing.run().getFirst());
            assertEquals(Delivery.Cause.BROKER, first.cause());
        } catch (BrokerException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("127.0.0.1"), e.getMessage());
        }
    }

    @Test
    void a_stream_that_is_full_is_waited_for() throws Exception {
        String topic = newName();
        SharedNats.create(topic, stream -> stream.maxMessages(2).discardPolicy(DiscardPolicy.New));
        try (Publisher publisher = broker.open(newLease())) {
            List<OutgoingMessage> messages = List.of(
                    message(topic, "a", 1), message(topic, "a", 2), message(topic, "a", 3), message(topic, "a", 4));
            List<Delivery> deliveries = publisher.publish(messages);
            assertAllSent(deliveries.subList(0, 2));
            Delivery.Retry full = assertInstanceOf(Delivery.Retry.class, deliveries.get(2));
            assertEquals(Delivery.Cause.BROKER, full.cause());
            assertTrue(full.reason().contains(topic) && full.reason().contains("maximum messages"), full.reason());
            assertEquals(Delivery.Retry.behind(messages.get(2).id()), deliveries.get(3));

            SharedNats.connected(it -> it.jetStreamManagement().purgeStream(SharedNats.stream(topic)));
            assertAllSent(publisher.publish(messages.subList(2, 4)));
        }
    }

    @Test
    void a_message_with_headers_larger_than_the_server_takes_is_a_dead_letter() throws Exception {
        String topic = newTopic();
        try (Publisher publisher = broker.open(newLease())) {
            List<Delivery> deliveries = publisher.publish(
                    List.of(message(topic, "k", new byte[1024 * 1024], Map.of()), message(topic, "j", 2)));
            Delivery.Dead dead = assertInstanceOf(Delivery.Dead.class, deliveries.get(0));
            assertEquals("too-large", dead.kind());
            assertTrue(dead.reason().contains("max_payload: 1048576"), dead.reason());
            assertInstanceOf(Delivery.Sent.class, deliveries.get(1), "and the connection is whole");
        }
    }

    @Test
    void a_topic_that_is_no_subject_is_a_dead_letter() throws Exception {
        try (Publisher publisher = broker.open(newLease())) {
            for (String topic : List.of("orders.", "orders..paid")) {
                Delivery.Dead dead = assertInstanceOf(
                        Delivery.Dead.class,
                        publisher.publish(List.of(message(topic, "k", 1))).getFirst());
                assertEquals("invalid-topic", dead.kind());
                assertTrue(dead.reason().contains(topic), dead.reason());
            }
        }
    }

    @Test
    void a_subject_that_only_others_listen_to_has_no_stream() throws Exception {
        String quiet = newName();
        String chatty = newName();
        SharedNats.connected(connection -> {
            Dispatcher listener = connection.createDispatcher(message -> {
                if (message.getSubject().equals(chatty)) connection.publish(message.getReplyTo(), new byte[] {'x'});
            });
            listener.subscribe(quiet);
            listener.subscribe(chatty);
            connection.jetStreamManagement().getStreamNames();
            try (Publisher publisher = broker.open(newLease())) {
                for (String topic : List.of(quiet, chatty)) {
                    Delivery.Retry retry = assertInstanceOf(
                            Delivery.Retry.class,
                            publisher.publish(List.of(message(topic, "k", 1))).getFirst());
                    assertEquals(Delivery.Cause.MESSAGE, retry.cause());
                    assertTrue(retry.reason().contains(topic), retry.reason());
                }
            }
            return null;
        });
    }

    @Test
    void credentials_and_permissions_are_told_without_the_secret() throws Exception {
        try (NatsServer strict = NatsServer.start(
                Path.of("target", "nats-strict-" + ProcessHandle.current().pid()), """
                authorization {
                  users: [
                    { user: "relay", password: "s3cr+t", permissions: { publish: ["ok", "$JS.API.>"], subscribe: "_INBOX.>" } }
                    { user: "all", password: "all" }
                  ]
                }
                """)) {
            String at = strict.url().substring("nats://".length());
            for (String wrong : List.of("", "relay:wr0ng@", "t0ken@")) {
                Broker refused = NatsBroker.open("nats://" + wrong + at + QUICK, SOURCE);
                BrokerException e = assertThrows(BrokerException.class, () -> refused.open(newLease()));
                assertTrue(String.valueOf(e.getMessage()).contains("credentials"), e.getMessage());
                assertTrue(!(e + " " + e.getCause()).contains("wr0ng"), e.toString());
                assertEquals("NATS at " + at, refused.name());
            }
            try (Connection all = Nats.connect("nats://all:all@" + at)) {
                all.jetStreamManagement()
                        .addStream(io.nats.client.api.StreamConfiguration.builder()
                                .name("ALL")
                                .subjects("ok", "no")
                                .build());
            }
            try (Publisher publisher = NatsBroker.open("nats://relay:s3cr%2Bt@" + at + QUICK, SOURCE)
                    .open(newLease())) {
                List<Delivery> deliveries =
                        publisher.publish(List.of(message("no", "k", 1), message("ok", "k", 2), message("no", "k", 3)));
                Delivery.Retry denied = assertInstanceOf(Delivery.Retry.class, deliveries.get(0));
                assertEquals(Delivery.Cause.MESSAGE, denied.cause());
                assertTrue(denied.reason().contains("does not allow")
                        && denied.reason().contains("no"));
                assertInstanceOf(Delivery.Sent.class, deliveries.get(1));
            }
        }
    }

    @Test
    void wrong_urls_are_refused_before_anything_is_connected() {
        assertRefused("localhost:4222", "not of that form");
        assertRefused("nats://", "not of that form");
        assertRefused("nats://a:1,:2", "HOST");
        assertRefused("nats://a:70000", "65535");
        assertRefused("nats://user:s3cret@a?ack-timeout=soon", "ack-timeout");
        assertRefused("nats://user:s3cret@a?ack-timeout=0s", "ack-timeout");
        assertRefused("nats://user:s3cret@a?s3cret=1", "parameters");
        assertRefused("nats://a?credentials=/nowhere/s3cret", "credentials");
        assertThrows(IllegalArgumentException.class, () -> NatsBroker.open("nats://a", ""));
        NatsSettings many = NatsUrl.parse("tls://user:s3cret@a:1,b,[::1]:3/?connect-timeout=1s&ack-timeout=500ms");
        assertEquals("NATS at a:1,b:4222,[::1]:3", many.toString());
        assertEquals("tls://b:4222", many.servers().get(1));
        assertEquals("s3cret", many.secret());
    }

    private static void assertRefused(String url, String named) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> NatsBroker.open(url, "/orders"), url)
                        .getMessage());
        assertTrue(message.contains(named), message);
        assertTrue(!message.contains("s3cret"), message);
    }
}
