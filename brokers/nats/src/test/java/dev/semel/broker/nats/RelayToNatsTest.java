package dev.semel.broker.nats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.RetrySettings;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.relay.RelaySettings;
import java.sql.Connection;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a transaction to its effect elsewhere, while NATS is killed now and then. */
@ExtendWith({SharedNats.class, SharedPostgres.class})
@SuppressWarnings("try") // a relay and a consumer that run are all that is asked of them
@Timeout(120)
class RelayToNatsTest {
    private static final String TIMES = "?connect-timeout=500ms&ack-timeout=1s";
    private static final int KEYS = 7;
    private static final int TRANSACTIONS = 300;

    @Test
    void every_committed_message_takes_effect_once_and_in_order() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String stream = "R" + UUID.randomUUID().toString().replace("-", "");
        SharedNats.create(stream, it -> it);
        AtomicInteger duplicates = new AtomicInteger();
        try (ReceivedEffects effects = new ReceivedEffects()) {
            Outbox outbox = Outbox.open(effects.database);
            RelaySettings settings = RelaySettings.DEFAULT
                    .withLease(Duration.ofSeconds(6))
                    .withPauses(Duration.ofMillis(10), Duration.ofMillis(200));
            int committed = 0;
            int[] sequence = new int[KEYS];
            try (NatsBroker broker = NatsBroker.open(SharedNats.server().url() + TIMES, "/shop");
                    Relay relay = Relay.from(outbox).to(broker).with(settings).start();
                    NatsConsumer consumer = NatsConsumer.of(SharedNats.server().url() + TIMES, stream, "billing")
                            .withAckWait(Duration.ofSeconds(1))
                            .with(new RetrySettings(5, Duration.ofMillis(10), Duration.ofMillis(200)))
                            .heardBy(event -> {
                                if (event instanceof ConsumerEvent.Handled it) duplicates.addAndGet(it.duplicates());
                            })
                            .start(effects.receiver())) {
                for (int i = 0; i < TRANSACTIONS; i++) {
                    int key = random.nextInt(KEYS);
                    int messages = 1 + random.nextInt(3);
                    boolean commits = random.nextInt(10) > 0;
                    try (Connection transaction = effects.database.getConnection()) {
                        transaction.setAutoCommit(false);
                        for (int j = 0; j < messages; j++)
                            outbox.append(transaction, message(stream, key, sequence[key] + j));
                        if (commits) transaction.commit();
                        else transaction.rollback();
                    }
                    if (!commits) continue;
                    sequence[key] += messages;
                    committed += messages;
                    outbox.committed();
                    if (i % 75 == 50) {
                        // Not at a pause of the relay, but while something is going on.
                        effects.await(committed / 2);
                        SharedNats.server().kill9();
                        SharedNats.server().restart();
                    }
                }
                effects.await(committed);
            }
            assertEquals(committed, effects.all().size(), "seed " + seed);
            for (int key = 0; key < KEYS; key++) {
                String prefix = "k" + key + " ";
                assertEquals(
                        IntStream.range(0, sequence[key])
                                .mapToObj(n -> prefix + n)
                                .toList(),
                        effects.all().stream()
                                .filter(it -> it.startsWith(prefix))
                                .toList(),
                        "seed " + seed);
            }
            assertEquals(0, outbox.status().waiting());
            System.out.println(committed + " messages, " + duplicates + " came again");
            assertTrue(committed > TRANSACTIONS);
        }
    }

    private static Message message(String topic, int key, int n) {
        return Message.of(topic, "order.paid", Integer.toString(n).getBytes(UTF_8))
                .withKey("k" + key);
    }
}
