package dev.semel.broker.nats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.RejectedMessageException;
import dev.semel.messaging.consume.RetrySettings;
import dev.semel.messaging.message.OutgoingMessage;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({SharedNats.class, SharedPostgres.class})
@SuppressWarnings("try") // a consumer that runs is all that is asked of it
@Timeout(60)
class NatsConsumerTest {
    private static final RetrySettings QUICK = new RetrySettings(3, Duration.ofMillis(20), Duration.ofMillis(100));

    private final String stream = "S" + UUID.randomUUID().toString().replace("-", "");
    private final String orders = stream + ".orders";
    private final String dead = stream + ".dead";
    private final ConcurrentLinkedQueue<ConsumerEvent> events = new ConcurrentLinkedQueue<>();
    private ReceivedEffects effects;

    @BeforeEach
    void open() throws Exception {
        effects = new ReceivedEffects();
        SharedNats.connected(connection -> connection
                .jetStreamManagement()
                .addStream(StreamConfiguration.builder()
                        .name(stream)
                        .subjects(stream + ".>")
                        .storageType(StorageType.File)
                        .build()));
    }

    @AfterEach
    void close() {
        effects.close();
    }

    private NatsConsumer.Plan plan() {
        return NatsConsumer.of(SharedNats.server().url() + "?connect-timeout=1s&ack-timeout=1s", stream, "billing")
                .only(orders)
                .withAckWait(Duration.ofSeconds(1))
                .with(QUICK)
                .heardBy(events::add);
    }

    private void send(OutgoingMessage... messages) throws InterruptedException {
        try (Publisher publisher =
                NatsBroker.open(SharedNats.server().url(), "/test").open(new ShardLease(1, 1))) {
            for (Delivery delivery : publisher.publish(List.of(messages))) assertEquals(new Delivery.Sent(), delivery);
        }
    }

    private OutgoingMessage message(@Nullable String key, String body) {
        return new OutgoingMessage(
                UUID.randomUUID(),
                orders,
                key,
                "order.paid",
                Map.of("traceparent", "00-1-2-01", "a", "ü"),
                body.getBytes(UTF_8),
                Instant.now());
    }

    private <E extends ConsumerEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private long unacknowledged() throws Exception {
        return SharedNats.connected(connection -> {
            var consumer = connection.jetStreamManagement().getConsumerInfo(stream, "billing");
            return consumer.getNumAckPending() + consumer.getNumPending();
        });
    }

    private void awaitAllAcknowledged() throws Exception {
        while (unacknowledged() > 0) Thread.onSpinWait();
    }

    @Test
    void a_message_arrives_as_it_was_sent_and_is_acknowledged() throws Exception {
        List<String> seen = new ArrayList<>();
        OutgoingMessage sent = message("Grüße/1 2", "x");
        send(sent);
        try (NatsConsumer consumer = plan().start(effects.receiver((transaction, it) -> seen.addAll(List.of(
                it.id(),
                it.topic(),
                it.key(),
                it.type(),
                it.headers().get("a"),
                it.headers().get("source")))))) {
            effects.await(1);
            awaitAllAcknowledged();
        }
        assertEquals(List.of(sent.id().toString(), orders, "Grüße/1 2", "order.paid", "ü", "/test"), seen);
    }

    @Test
    void what_fails_is_not_overtaken_and_takes_effect_once_also_with_two_consumers() throws Exception {
        AtomicInteger left = new AtomicInteger(2);
        for (int i = 0; i < 20; i++) send(message("k", "" + i));
        var receiver = effects.receiver((transaction, it) -> {
            if (ReceivedEffects.body(it).equals("5") && left.getAndDecrement() > 0)
                throw new IllegalStateException("not now");
        });
        try (NatsConsumer one = plan().start(receiver);
                NatsConsumer two = plan().start(receiver)) {
            effects.await(20);
            awaitAllAcknowledged();
        }
        assertEquals(IntStream.range(0, 20).mapToObj(i -> "k " + i).toList(), effects.all());
        assertEquals(2, events(ConsumerEvent.Failed.class).size());
    }

    @Test
    void a_poisoned_message_goes_to_its_subject_and_others_go_on() throws Exception {
        OutgoingMessage poison = message("k", "poison");
        OutgoingMessage hopeless = message("k", "hopeless");
        send(message("k", "0"), poison, hopeless, message("k", "1"));
        // The id that NATS knows the message by must not make it drop the letter, which is in the same stream.
        try (NatsConsumer consumer = plan().deadLettersTo(dead).start(effects.receiver((transaction, it) -> {
            if (ReceivedEffects.body(it).equals("poison")) throw new IllegalStateException("s3cret");
            if (ReceivedEffects.body(it).equals("hopeless")) throw new RejectedMessageException("no such account: ü");
        }))) {
            effects.await(2);
            awaitAllAcknowledged();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertEquals(3, events(ConsumerEvent.Failed.class).size());
        assertEquals(2, events(ConsumerEvent.Parked.class).size());
        List<Headers> letters = SharedNats.connected(connection -> {
            var management = connection.jetStreamManagement();
            var last = management.getLastMessage(stream, dead);
            var first = management.getFirstMessage(stream, dead);
            assertEquals("poison", new String(first.getData(), UTF_8));
            return List.of(first.getHeaders(), last.getHeaders());
        });
        assertEquals(poison.id().toString(), letters.getFirst().getFirst("ce-id"));
        assertEquals(
                "failed 3 times: java.lang.IllegalStateException",
                HeaderText.decode(letters.getFirst().getFirst("semel-dead-reason")));
        assertEquals(hopeless.id().toString(), letters.getLast().getFirst("ce-id"));
        assertEquals("no such account: ü", HeaderText.decode(letters.getLast().getFirst("semel-dead-reason")));
        assertEquals(orders, letters.getLast().getFirst("semel-dead-subject"));
    }

    @Test
    void without_a_place_for_dead_letters_a_message_is_tried_until_it_is_handled() throws Exception {
        AtomicBoolean failing = new AtomicBoolean(true);
        send(message("k", "0"), message("k", "1"));
        try (NatsConsumer consumer = plan().start(effects.receiver((transaction, it) -> {
            if (failing.get()) throw new RejectedMessageException("never");
        }))) {
            ReceivedEffects.await(() -> events(ConsumerEvent.Failed.class).size() > QUICK.attempts() + 1);
            failing.set(false);
            effects.await(2);
            awaitAllAcknowledged();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertEquals(List.of(), events(ConsumerEvent.Parked.class));
    }

    @Test
    void a_message_without_an_id_is_a_dead_letter() throws Exception {
        SharedNats.connected(connection -> connection.jetStream().publish(orders, "who am I?".getBytes(UTF_8)));
        try (NatsConsumer consumer = plan().deadLettersTo(dead).start(effects.receiver())) {
            ReceivedEffects.await(() -> !events(ConsumerEvent.Parked.class).isEmpty());
            awaitAllAcknowledged();
        }
        assertEquals(List.of(), effects.all());
        assertTrue(events(ConsumerEvent.Parked.class).getFirst().reason().contains("no id"));
    }

    @Test
    void a_message_whose_acknowledgement_was_lost_takes_effect_once() throws Exception {
        AtomicBoolean once = new AtomicBoolean(true);
        send(message("k", "0"), message("k", "1"));
        try (NatsConsumer consumer = plan().start(effects.receiver((transaction, it) -> {
            if (once.getAndSet(false)) SharedNats.server().kill9();
        }))) {
            effects.await(1);
            SharedNats.server().restart();
            effects.await(2);
            awaitAllAcknowledged();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertTrue(events(ConsumerEvent.Handled.class).stream().anyMatch(it -> it.duplicates() == 1));
        assertTrue(!events(ConsumerEvent.BrokerAway.class).isEmpty());
    }

    @Test
    void a_long_handler_keeps_its_message() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        send(message("k", "0"));
        Instant until = Instant.now().plusSeconds(2);
        var receiver = effects.receiver((transaction, it) -> {
            calls.incrementAndGet();
            ReceivedEffects.await(() -> Instant.now().isAfter(until));
        });
        try (NatsConsumer one = plan().start(receiver);
                NatsConsumer two = plan().start(receiver)) {
            effects.await(1);
            awaitAllAcknowledged();
        }
        assertEquals(1, calls.get());
        assertEquals(List.of(new ConsumerEvent.Handled(1, 0)), events(ConsumerEvent.Handled.class));
    }

    @Test
    void a_database_that_is_away_is_no_failure_of_a_message() throws Exception {
        AtomicInteger broken = new AtomicInteger(QUICK.attempts() + 2);
        send(message("k", "0"), message("k", "1"));
        try (NatsConsumer consumer = plan().deadLettersTo(dead).start(effects.receiver((transaction, it) -> {
            if (broken.getAndDecrement() > 0)
                try (var statement = transaction.createStatement()) {
                    statement.execute("select pg_terminate_backend(pg_backend_pid())");
                }
        }))) {
            effects.await(2);
            awaitAllAcknowledged();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertEquals(
                QUICK.attempts() + 2, events(ConsumerEvent.DatabaseAway.class).size());
        assertEquals(List.of(), events(ConsumerEvent.Failed.class));
    }

    @Test
    void many_are_handled_in_one_transaction_when_order_does_not_matter() throws Exception {
        OutgoingMessage[] messages =
                IntStream.range(0, 300).mapToObj(i -> message(null, "" + i)).toArray(OutgoingMessage[]::new);
        send(messages);
        AtomicBoolean once = new AtomicBoolean(true);
        try (NatsConsumer consumer = plan().inAnyOrder(50).start(effects.receiver((transaction, it) -> {
            if (ReceivedEffects.body(it).equals("7") && once.getAndSet(false)) throw new IllegalStateException();
        }))) {
            effects.await(300);
            awaitAllAcknowledged();
        }
        assertEquals(300, effects.all().stream().distinct().count());
        assertEquals(300, effects.all().size());
        assertTrue(events(ConsumerEvent.Handled.class).size() < 100);
    }

    @Test
    void a_durable_consumer_that_would_give_up_is_put_right() throws Exception {
        SharedNats.connected(connection -> connection
                .jetStreamManagement()
                .addOrUpdateConsumer(
                        stream,
                        ConsumerConfiguration.builder()
                                .durable("billing")
                                .filterSubject(orders)
                                .maxDeliver(2)
                                .build()));
        AtomicInteger failures = new AtomicInteger(4);
        send(message("k", "0"));
        try (NatsConsumer consumer = plan().start(effects.receiver((transaction, it) -> {
            if (failures.getAndDecrement() > 0) throw new IllegalStateException("not now");
        }))) {
            effects.await(1);
        }
        assertEquals(List.of("k 0"), effects.all());
    }

    @Test
    void what_cannot_work_is_told() throws Exception {
        String url = SharedNats.server().url();
        assertThrows(IllegalArgumentException.class, () -> NatsConsumer.of("http://x", stream, "billing"));
        assertThrows(IllegalArgumentException.class, () -> NatsConsumer.of(url, "a.b", "billing"));
        assertThrows(IllegalArgumentException.class, () -> plan().deadLettersTo("dead.*"));
        assertThrows(
                IllegalArgumentException.class, () -> plan().only(stream + ".>").deadLettersTo(dead));
        assertThrows(IllegalArgumentException.class, () -> plan().inAnyOrder(0));
        assertTold(NatsConsumer.of(url, "NONE", "billing"), "stream not found");
        assertTold(NatsConsumer.of(url, stream, "billing").deadLettersTo("nowhere"), "nowhere");
        assertTold(NatsConsumer.of(url, stream, "billing").deadLettersTo(dead), "its own dead letters");
        assertTold(NatsConsumer.of("nats://127.0.0.1:1", stream, "billing"), "cannot be reached");
    }

    private void assertTold(NatsConsumer.Plan plan, String reason) {
        events.clear();
        try (NatsConsumer consumer = plan.with(QUICK).heardBy(events::add).start(effects.receiver())) {
            ReceivedEffects.await(() -> !events.isEmpty());
        }
        String told = events(ConsumerEvent.BrokerAway.class).getFirst().reason();
        assertTrue(told.contains(reason), told);
    }
}
