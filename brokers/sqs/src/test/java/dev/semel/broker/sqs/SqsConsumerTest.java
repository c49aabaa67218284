package dev.semel.broker.sqs;

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
import dev.semel.testkit.messaging.ArrivedMessage;
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
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

@ExtendWith({SharedSqs.class, SharedPostgres.class})
@SuppressWarnings("try") // a consumer that runs is all that is asked of it
@Timeout(60)
class SqsConsumerTest {
    private static final RetrySettings QUICK = new RetrySettings(3, Duration.ofMillis(20), Duration.ofMillis(100));
    private static final int MOST_RECEPTIONS = 3;

    private final String name = "c-" + UUID.randomUUID();
    private final String queue = name + ".fifo";
    private final String dead = name + "-dead.fifo";
    private final ConcurrentLinkedQueue<ConsumerEvent> events = new ConcurrentLinkedQueue<>();
    private ReceivedEffects effects;

    @BeforeEach
    void open() throws Exception {
        effects = new ReceivedEffects();
        SharedSqs.create(dead, Map.of());
        SharedSqs.create(queue, redrive(dead));
    }

    private static Map<QueueAttributeName, String> redrive(String dead) {
        String arn = SharedSqs.client()
                .getQueueAttributes(
                        it -> it.queueUrl(SharedSqs.queueUrl(dead)).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
        return Map.of(
                QueueAttributeName.REDRIVE_POLICY,
                "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":\"" + MOST_RECEPTIONS + "\"}");
    }

    @AfterEach
    void close() {
        effects.close();
    }

    private SqsConsumer.Plan plan(String queue) {
        return SqsConsumer.of(SharedSqs.url() + "&call-timeout=5s", queue)
                .withWait(Duration.ofSeconds(1))
                .withVisibility(Duration.ofSeconds(2))
                .with(QUICK)
                .heardBy(events::add);
    }

    private void send(List<OutgoingMessage> messages) throws Exception {
        try (SqsBroker broker = SqsBroker.open(SharedSqs.url(), "/test");
                Publisher publisher = broker.open(new ShardLease(1, 1))) {
            for (Delivery delivery : publisher.publish(messages)) assertEquals(new Delivery.Sent(), delivery);
        }
    }

    private OutgoingMessage message(@Nullable String key, String body) {
        return message(queue, key, body);
    }

    private static OutgoingMessage message(String queue, @Nullable String key, String body) {
        return new OutgoingMessage(
                UUID.randomUUID(),
                queue,
                key,
                "order.paid",
                Map.of("traceparent", "00-1-2-01", "a", "ü"),
                body.getBytes(UTF_8),
                Instant.now());
    }

    private <E extends ConsumerEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private int inQueue(String queue) {
        Map<QueueAttributeName, String> counts = SharedSqs.client()
                .getQueueAttributes(it -> it.queueUrl(SharedSqs.queueUrl(queue)).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                + Integer.parseInt(counts.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }

    private void awaitEmpty() {
        ReceivedEffects.await(() -> inQueue(queue) == 0);
    }

    @Test
    void a_message_arrives_as_it_was_sent_and_is_deleted() throws Exception {
        List<String> seen = new ArrayList<>();
        OutgoingMessage sent = message("Grüße/1 2", "x\u0001");
        send(List.of(sent));
        try (SqsConsumer consumer = plan(queue)
                .start(effects.receiver((transaction, it) -> seen.addAll(List.of(
                        it.id(),
                        it.topic(),
                        it.key(),
                        it.type(),
                        it.headers().get("a"),
                        it.headers().get("source"),
                        ReceivedEffects.body(it)))))) {
            ReceivedEffects.await(() -> !seen.isEmpty());
        }
        assertEquals(
                List.of(sent.id().toString(), queue, "Grüße/1 2", "order.paid", "ü", "/test", "x\u0001"),
                seen.subList(0, 7));
    }

    @Test
    void what_fails_is_not_overtaken_by_its_key_and_takes_effect_once_also_with_many_receivers() throws Exception {
        AtomicInteger left = new AtomicInteger(2);
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 15; i++) for (String key : List.of("a", "b", "c")) messages.add(message(key, "" + i));
        send(messages);
        var receiver = effects.receiver((transaction, it) -> {
            if (it.key().equals("a") && ReceivedEffects.body(it).equals("5") && left.getAndDecrement() > 0)
                throw new IllegalStateException("not now");
        });
        try (SqsConsumer consumer = plan(queue).withReceivers(3).start(receiver)) {
            effects.await(45);
            awaitEmpty();
        }
        for (String key : List.of("a", "b", "c"))
            assertEquals(
                    IntStream.range(0, 15).mapToObj(i -> key + " " + i).toList(),
                    effects.all().stream().filter(it -> it.startsWith(key)).toList());
        assertEquals(45, effects.all().size());
        assertTrue(!events(ConsumerEvent.Failed.class).isEmpty());
    }

    @Test
    void a_poisoned_message_is_left_to_the_redrive_policy_and_keeps_its_id() throws Exception {
        OutgoingMessage poison = message("k", "poison");
        OutgoingMessage hopeless = message("j", "hopeless");
        send(List.of(message("k", "0"), poison, hopeless, message("k", "1")));
        try (SqsConsumer consumer = plan(queue).start(effects.receiver((transaction, it) -> {
            if (ReceivedEffects.body(it).equals("poison")) throw new IllegalStateException("not ever");
            if (ReceivedEffects.body(it).equals("hopeless")) throw new RejectedMessageException("no such account");
        }))) {
            effects.await(2);
            awaitEmpty();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertEquals(
                List.of(poison.id().toString(), hopeless.id().toString()).stream()
                        .sorted()
                        .toList(),
                SharedSqs.arrived(dead, 2).stream()
                        .map(ArrivedMessage::id)
                        .sorted()
                        .toList());
        assertEquals(2 * MOST_RECEPTIONS, events(ConsumerEvent.Failed.class).size());
        assertEquals(2, events(ConsumerEvent.Parked.class).size());
    }

    @Test
    void nothing_is_received_from_a_queue_without_a_redrive_policy_unless_told_so() throws Exception {
        String plain = name + "-plain";
        SharedSqs.create(plain, Map.of());
        send(List.of(message(plain, null, "0")));
        try (SqsConsumer consumer = plan(plain).start(effects.receiver())) {
            ReceivedEffects.await(() -> events(ConsumerEvent.BrokerAway.class).size() > 1);
        }
        String told = events(ConsumerEvent.BrokerAway.class).getFirst().reason();
        assertTrue(told.contains(plain) && told.contains("redrive policy"), told);
        assertEquals(List.of(), effects.all());
        AtomicInteger failing = new AtomicInteger(2);
        try (SqsConsumer consumer = plan(plain).withoutDeadLetters().start(effects.receiver((transaction, it) -> {
            if (failing.getAndDecrement() > 0) throw new RejectedMessageException("never");
        }))) {
            effects.await(1);
        }
        assertEquals(List.of(), events(ConsumerEvent.Parked.class));
    }

    @Test
    void a_message_without_an_id_goes_to_the_dead_letters() throws Exception {
        SharedSqs.client()
                .sendMessage(it -> it.queueUrl(SharedSqs.queueUrl(queue))
                        .messageBody("who am I?")
                        .messageGroupId("g")
                        .messageDeduplicationId("d"));
        try (SqsConsumer consumer = plan(queue).start(effects.receiver())) {
            awaitEmpty();
        }
        assertEquals(List.of(), effects.all());
        assertEquals(1, SharedSqs.arrived(dead, 1).size());
    }

    @Test
    void a_database_that_is_away_costs_no_receptions() throws Exception {
        AtomicInteger broken = new AtomicInteger(MOST_RECEPTIONS + 3);
        send(List.of(message("k", "0"), message("k", "1")));
        try (SqsConsumer consumer = plan(queue).start(effects.receiver((transaction, it) -> {
            if (broken.getAndDecrement() > 0)
                try (var statement = transaction.createStatement()) {
                    statement.execute("select pg_terminate_backend(pg_backend_pid())");
                }
        }))) {
            effects.await(2);
            awaitEmpty();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertTrue(events(ConsumerEvent.DatabaseAway.class).size() >= MOST_RECEPTIONS);
        assertEquals(List.of(), events(ConsumerEvent.Failed.class));
    }

    @Test
    void a_long_handler_keeps_its_message() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        send(List.of(message("k", "0")));
        Instant until = Instant.now().plusSeconds(4);
        var receiver = effects.receiver((transaction, it) -> {
            calls.incrementAndGet();
            ReceivedEffects.await(() -> Instant.now().isAfter(until));
        });
        try (SqsConsumer consumer = plan(queue).withReceivers(2).start(receiver)) {
            effects.await(1);
            awaitEmpty();
        }
        assertEquals(1, calls.get());
        assertEquals(List.of(new ConsumerEvent.Handled(1, 0)), events(ConsumerEvent.Handled.class));
    }

    @Test
    void a_message_that_was_handled_and_not_deleted_takes_effect_once() throws Exception {
        AtomicBoolean once = new AtomicBoolean(true);
        send(List.of(message("k", "0"), message("k", "1")));
        try (CuttingProxy proxy = new CuttingProxy(SharedSqs.server().port());
                SqsConsumer consumer = SqsConsumer.of(
                                "sqs://eu-central-1?endpoint=http://127.0.0.1:" + proxy.port(), queue)
                        .withWait(Duration.ofSeconds(1))
                        .withVisibility(Duration.ofSeconds(2))
                        .with(QUICK)
                        .heardBy(event -> {
                            events.add(event);
                            // Just before it is deleted.
                            if (event instanceof ConsumerEvent.Handled && once.getAndSet(false)) proxy.close();
                        })
                        .start(effects.receiver())) {
            ReceivedEffects.await(() -> !events(ConsumerEvent.BrokerAway.class).isEmpty());
        }
        try (SqsConsumer consumer = plan(queue).start(effects.receiver())) {
            awaitEmpty();
        }
        assertEquals(List.of("k 0", "k 1"), effects.all());
        assertTrue(events(ConsumerEvent.Handled.class).stream().anyMatch(it -> it.duplicates() > 0));
        assertTrue(!events(ConsumerEvent.BrokerAway.class).isEmpty());
    }

    @Test
    void what_cannot_work_is_told() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> SqsConsumer.of("http://x", queue));
        assertThrows(IllegalArgumentException.class, () -> SqsConsumer.of(SharedSqs.url(), "a/b"));
        assertThrows(IllegalArgumentException.class, () -> plan(queue).withReceivers(0));
        assertThrows(IllegalArgumentException.class, () -> plan(queue).withWait(Duration.ofSeconds(21)));
        assertThrows(IllegalArgumentException.class, () -> plan(queue).withVisibility(Duration.ofMillis(2500)));
        try (SqsConsumer consumer = plan(name + "-none").start(effects.receiver())) {
            ReceivedEffects.await(() -> !events.isEmpty());
        }
        String told = events(ConsumerEvent.BrokerAway.class).getFirst().reason();
        assertTrue(told.contains(name + "-none"), told);
    }
}
