package dev.semel.broker.sqs;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Receives the messages of a queue and hands them to a {@link Receiver}, up to ten in a transaction. A message is deleted after its
 * transaction has committed. Whatever comes again takes no effect.
 *
 * <pre>{@code
 * SqsConsumer.of("sqs://eu-central-1", "orders.fifo").start(Receiver.of(inbox, "billing", this::bill));
 * }</pre>
 *
 * <p><b>Order.</b> In a FIFO queue what fails is not overtaken by its key; other keys go on. A standard queue has no order.
 *
 * <p><b>Poison.</b> A message that cannot be handled is left to the redrive policy of the queue: SQS moves it to the queue for dead
 * letters after so many receptions as the policy says. Nothing is received from a queue without one, unless
 * {@linkplain Plan#withoutDeadLetters told so}; then it is tried until SQS forgets it. A database that is away costs no receptions:
 * messages are kept, and wait.
 *
 * <p>Messages are told apart by the attribute {@code ce-id}, as {@link SqsBroker} sends it; one without it is never handled.
 *
 * <p>Safe for use by any thread.
 */
public final class SqsConsumer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final SqsClient client;
    private final CountDownLatch stopped;
    private final List<Thread> threads;

    private SqsConsumer(SqsClient client, CountDownLatch stopped, List<Thread> threads) {
        this.client = client;
        this.stopped = stopped;
        this.threads = threads;
    }

    /**
     * A consumer that is not started yet.
     *
     * @param url as {@link SqsBroker#open} takes it
     * @param queue its name
     * @throws IllegalArgumentException when something of it is wrong; the message says what
     */
    public static Plan of(String url, String queue) {
        if (!QueueName.isName(queue))
            throw new IllegalArgumentException(
                    "The name of a queue has 1 to 80 letters, digits, - and _, and .fifo at the end if it is one.");
        return new Plan(
                SqsUrl.parse(url),
                queue,
                true,
                1,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                RetrySettings.DEFAULT,
                ConsumerEvent.Listener.NONE);
    }

    /** How to consume. */
    public static final class Plan {
        private static final int MOST_RECEIVERS = 100;

        private final SqsSettings settings;
        private final String queue;
        private final boolean deadLetters;
        private final int receivers;
        private final Duration wait;
        private final Duration visibility;
        private final RetrySettings retry;
        private final ConsumerEvent.Listener listener;

        private Plan(
                SqsSettings settings,
                String queue,
                boolean deadLetters,
                int receivers,
                Duration wait,
                Duration visibility,
                RetrySettings retry,
                ConsumerEvent.Listener listener) {
            require(
                    receivers >= 1 && receivers <= MOST_RECEIVERS,
                    "A consumer receives 1 to " + MOST_RECEIVERS + " times side by side.");
            require(isSeconds(wait, 0, 20), "SQS waits for messages for 0 to 20 whole seconds.");
            require(
                    isSeconds(visibility, 2, 12 * 60 * 60),
                    "A message is hidden from others for 2 whole seconds to 12 hours.");
            this.settings = settings;
            this.queue = queue;
            this.deadLetters = deadLetters;
            this.receivers = receivers;
            this.wait = wait;
            this.visibility = visibility;
            this.retry = retry;
            this.listener = listener;
        }

        private static boolean isSeconds(Duration time, long least, long most) {
            return time.getNano() == 0 && time.getSeconds() >= least && time.getSeconds() <= most;
        }

        private static void require(boolean good, String rule) {
            if (!good) throw new IllegalArgumentException(rule);
        }

        /** Receives also from a queue without a redrive policy. A message that cannot be handled is tried until SQS forgets it. */
        public Plan withoutDeadLetters() {
            return new Plan(settings, queue, false, receivers, wait, visibility, retry, listener);
        }

        /** How many batches are handled side by side. A FIFO queue keeps its order all the same. */
        public Plan withReceivers(int receivers) {
            return new Plan(settings, queue, deadLetters, receivers, wait, visibility, retry, listener);
        }

        /** How long SQS waits for a message before it answers that there is none. */
        public Plan withWait(Duration wait) {
            return new Plan(settings, queue, deadLetters, receivers, wait, visibility, retry, listener);
        }

        /**
         * For how long a message is hidden from others. While it is being handled, that begins anew again and again; so it is how long
         * others wait when this process dies.
         */
        public Plan withVisibility(Duration visibility) {
            return new Plan(settings, queue, deadLetters, receivers, wait, visibility, retry, listener);
        }

        /** How long the pauses between attempts are, in whole seconds. How many there are, the redrive policy says. */
        public Plan with(RetrySettings retry) {
            return new Plan(settings, queue, deadLetters, receivers, wait, visibility, retry, listener);
        }

        public Plan heardBy(ConsumerEvent.Listener listener) {
            return new Plan(settings, queue, deadLetters, receivers, wait, visibility, retry, listener);
        }

        SqsSettings settings() {
            return settings;
        }

        String queue() {
            return queue;
        }

        boolean deadLetters() {
            return deadLetters;
        }

        Duration longPoll() {
            return wait;
        }

        Duration visibility() {
            return visibility;
        }

        RetrySettings retry() {
            return retry;
        }

        ConsumerEvent.Listener listener() {
            return listener.quiet();
        }

        /** Starts it: it receives from now on, also while the broker or the database comes and goes. */
        public SqsConsumer start(Receiver receiver) {
            SqsClient client = SqsClients.open(settings, wait.plus(settings.callTimeout()));
            CountDownLatch stopped = new CountDownLatch(1);
            FailingMessages failing = new FailingMessages(retry.longestPause().plus(visibility));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < receivers; i++)
                threads.add(Thread.ofVirtual()
                        .name("semel-sqs-" + queue + "-" + i)
                        .start(new ReceiveLoop(this, client, receiver, failing, stopped)));
            return new SqsConsumer(client, stopped, threads);
        }
    }

    /** Stops it: what is being received and handled is waited for, for a while. */
    @Override
    public void close() {
        stopped.countDown();
        long deadline = System.nanoTime() + GRACE.toNanos();
        try {
            for (Thread each : threads)
                if (!each.join(Duration.ofNanos(Math.max(deadline - System.nanoTime(), 1)))) each.interrupt();
            for (Thread each : threads) each.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
