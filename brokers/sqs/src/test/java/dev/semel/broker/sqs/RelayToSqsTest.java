package dev.semel.broker.sqs;

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
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a transaction to its effect elsewhere, while its connections to SQS are cut now and then. */
@ExtendWith({SharedSqs.class, SharedPostgres.class})
@SuppressWarnings("try") // a relay and a consumer that run are all that is asked of them
@Timeout(120)
class RelayToSqsTest {
    private static final String TIMES = "&call-timeout=2s";
    private static final int KEYS = 7;
    private static final int TRANSACTIONS = 150;

    @Test
    void every_committed_message_takes_effect_once_and_in_order() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String queue = "r-" + UUID.randomUUID() + ".fifo";
        SharedSqs.create(queue, Map.of());
        AtomicInteger duplicates = new AtomicInteger();
        try (ReceivedEffects effects = new ReceivedEffects()) {
            Outbox outbox = Outbox.open(effects.database);
            RelaySettings settings = RelaySettings.DEFAULT
                    .withLease(Duration.ofSeconds(15))
                    .withPauses(Duration.ofMillis(10), Duration.ofMillis(200));
            int committed = 0;
            int[] sequence = new int[KEYS];
            try (CuttingProxy proxy = new CuttingProxy(SharedSqs.server().port());
                    SqsBroker broker = SqsBroker.open(url(proxy), "/shop");
                    Relay relay = Relay.from(outbox).to(broker).with(settings).start();
                    SqsConsumer consumer = SqsConsumer.of(url(proxy), queue)
                            .withoutDeadLetters()
                            .withReceivers(2)
                            .withWait(Duration.ofSeconds(1))
                            .withVisibility(Duration.ofSeconds(2))
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
                            outbox.append(transaction, message(queue, key, sequence[key] + j));
                        if (commits) transaction.commit();
                        else transaction.rollback();
                    }
                    if (!commits) continue;
                    sequence[key] += messages;
                    committed += messages;
                    outbox.committed();
                    if (i % 30 == 20) {
                        // Not at a pause of the relay, but while something is going on.
                        effects.await(committed / 2);
                        proxy.cut();
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

    private static String url(CuttingProxy proxy) {
        return "sqs://eu-central-1?endpoint=http://127.0.0.1:" + proxy.port() + TIMES;
    }

    private static Message message(String topic, int key, int n) {
        return Message.of(topic, "order.paid", Integer.toString(n).getBytes(UTF_8))
                .withKey("k" + key);
    }
}
