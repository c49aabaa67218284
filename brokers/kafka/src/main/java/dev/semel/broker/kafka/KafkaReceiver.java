package dev.semel.broker.kafka;

import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RetrySettings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Receives from Kafka: each message takes effect once, those of a key in their order, and Kafka is told that a message is done only
 * after its transaction.
 *
 * <pre>{@code
 * Receiver billing = Receiver.of(inbox, "billing", (transaction, message) -> bill(transaction, message));
 * try (KafkaReceiver receiver = KafkaReceiver.of("kafka://kafka-1:9092", billing)
 *         .topics("orders").deadLettersTo("orders.billing.dead").start()) {
 *     receiver.awaitEnd();
 * }
 * }</pre>
 *
 * <p>Any number of them with the same consumer share the partitions of the topics, as a group of Kafka's. A message that fails is
 * tried again, and its key waits; then it goes to the topic of dead letters. Safe for use by any thread.
 */
public final class KafkaReceiver implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ReceiveLoop loop;

    private KafkaReceiver(ReceiveLoop loop) {
        this.loop = loop;
    }

    /**
     * @param url {@code kafka://host:port,host:port}; after a question mark settings of Kafka's consumer by their own names. Its
     *     {@code group.id} is the name of the consumer unless it says otherwise
     */
    public static Plan of(String url, Receiver receiver) {
        return new Plan(
                url, receiver, List.of(), null, RetrySettings.DEFAULT, Latest.DEFAULT, 4, ConsumerEvent.Listener.NONE);
    }

    /**
     * How late a duplicate can come, as far as Kafka does not say so.
     *
     * @param producerRetries for how long whoever sends a message goes on trying
     * @param deadLetterAge how old a dead letter may be when it is sent again
     * @param rereads how far back the topic is ever read again; null for as far as it is kept
     */
    private record Latest(
            Duration producerRetries,
            Duration deadLetterAge,
            @Nullable Duration rereads) {
        static final Latest DEFAULT = new Latest(Duration.ofDays(1), Duration.ofDays(14), null);
    }

    /** A receiver that is not started yet. */
    public static final class Plan {
        private final String url;
        private final Receiver receiver;
        private final List<String> topics;
        private final @Nullable String deadLetters;
        private final RetrySettings retries;
        private final Latest latest;
        private final int atOnce;
        private final ConsumerEvent.Listener listener;

        private Plan(
                String url,
                Receiver receiver,
                List<String> topics,
                @Nullable String deadLetters,
                RetrySettings retries,
                Latest latest,
                int atOnce,
                ConsumerEvent.Listener listener) {
            this.url = url;
            this.receiver = receiver;
            this.topics = topics;
            this.deadLetters = deadLetters;
            this.retries = retries;
            this.latest = latest;
            this.atOnce = atOnce;
            this.listener = listener;
        }

        public Plan topics(String... topics) {
            return new Plan(url, receiver, List.of(topics), deadLetters, retries, latest, atOnce, listener);
        }

        /** Where messages go that cannot be handled. Without it the receiver stops in front of the first one. */
        public Plan deadLettersTo(String topic) {
            return new Plan(url, receiver, topics, topic, retries, latest, atOnce, listener);
        }

        public Plan with(RetrySettings retries) {
            return new Plan(url, receiver, topics, deadLetters, retries, latest, atOnce, listener);
        }

        /**
         * How late a duplicate can come, beside what Kafka keeps: for how long senders try (a day unless this says otherwise), and how
         * old a dead letter may be when it is sent again (14 days).
         */
        public Plan duplicatesWithin(Duration producerRetries, Duration deadLetterAge) {
            Latest changed = new Latest(producerRetries, deadLetterAge, latest.rereads());
            return new Plan(url, receiver, topics, deadLetters, retries, changed, atOnce, listener);
        }

        /** Promises that the topics are never read again from further back than that, however long Kafka keeps them. */
        public Plan rereadsAtMost(Duration rereads) {
            Latest changed = new Latest(latest.producerRetries(), latest.deadLetterAge(), rereads);
            return new Plan(url, receiver, topics, deadLetters, retries, changed, atOnce, listener);
        }

        /** How many partitions are handled at the same time, each on a connection to the database (4 unless this says otherwise). */
        public Plan handlingAtOnce(int partitions) {
            if (partitions < 1) throw new IllegalArgumentException("At least one is handled, not " + partitions + ".");
            return new Plan(url, receiver, topics, deadLetters, retries, latest, partitions, listener);
        }

        public Plan heardBy(ConsumerEvent.Listener listener) {
            return new Plan(url, receiver, topics, deadLetters, retries, latest, atOnce, listener);
        }

        /**
         * Starts it.
         *
         * @throws IllegalArgumentException when the URL or a setting is wrong
         * @throws IllegalStateException when a topic is missing, or the inbox forgets ids before the last duplicate can come
         * @throws dev.semel.messaging.broker.BrokerException when Kafka cannot be reached
         */
        public KafkaReceiver start() {
            if (topics.isEmpty()) throw new IllegalArgumentException("Say what to receive: topics(\"orders\").");
            Set<String> named = new LinkedHashSet<>(topics);
            if (deadLetters != null && named.contains(deadLetters))
                throw new IllegalArgumentException(
                        "Dead letters would be received again: " + deadLetters + " is one of the topics.");
            ConsumerSettings settings = ConsumerSettings.of(KafkaUrl.settingsOf(url), receiver.consumer());
            requireWindow(settings, named);
            DeadLetterTopic letters =
                    deadLetters == null ? null : new DeadLetterTopic(deadLetters, receiver.consumer(), settings);
            ReceiveLoop loop = new ReceiveLoop(receiver, named, settings, retries, letters, atOnce, listener.quiet());
            Thread.ofPlatform().name("semel-" + receiver.consumer()).start(loop);
            return new KafkaReceiver(loop);
        }

        private void requireWindow(ConsumerSettings settings, Set<String> named) {
            try (Admin admin = Admin.create(settings.ofAdmin())) {
                try {
                    if (deadLetters != null) TopicRetention.requireExists(admin, deadLetters);
                    receiver.inbox().window().requireCovers(latest(admin, named));
                } finally {
                    admin.close(Duration.ZERO);
                }
            }
        }

        private InboxWindow.Latest latest(Admin admin, Set<String> named) {
            Duration kept = TopicRetention.longest(admin, named);
            Duration rereads = latest.rereads() == null ? kept : latest.rereads();
            if (rereads == null)
                throw new IllegalStateException("A topic of " + named + " is kept for ever (retention.ms or"
                        + " cleanup.policy), and the inbox forgets ids after "
                        + receiver.inbox().window().keep() + ": read again from the beginning, its messages would take"
                        + " effect again. Say how far back it is ever read again: rereadsAtMost(…).");
            if (kept != null && kept.compareTo(rereads) < 0) rereads = kept;
            return new InboxWindow.Latest(latest.producerRetries(), rereads, latest.deadLetterAge());
        }
    }

    /**
     * Waits until it has ended.
     *
     * @throws IllegalStateException when it has stopped in front of a message that cannot be handled
     */
    public void awaitEnd() throws InterruptedException {
        try {
            loop.ended().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException why) throw why;
            throw new CompletionException(e.getCause());
        }
    }

    /** Whether it receives, or tries to. */
    public boolean isRunning() {
        return !loop.ended().isDone();
    }

    /** Stops it: what is being handled is waited for and told to Kafka, for a while; the rest is for others. */
    @Override
    public void close() {
        close(GRACE);
    }

    public void close(Duration grace) {
        loop.stop(grace);
        try {
            loop.ended().get(grace.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // awaitEnd tells.
        }
    }
}
