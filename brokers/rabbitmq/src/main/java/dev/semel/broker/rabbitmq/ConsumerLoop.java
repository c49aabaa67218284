package dev.semel.broker.rabbitmq;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RetrySettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The thread of a consumer: connects, works as long as the connection lasts, and connects again. */
final class ConsumerLoop implements Runnable {
    private final RabbitMqSettings settings;
    private final String queue;
    private final DeadLetterPlace deadLetters;
    private final Receiver receiver;
    private final RetrySettings retries;
    private final int batch;
    private final int prefetch;
    private final ConsumerEvent.Listener listener;
    private final FailureCounts failureCounts = new FailureCounts();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile @Nullable ConsumerSession session;

    ConsumerLoop(
            RabbitMqSettings settings,
            String queue,
            DeadLetterPlace deadLetters,
            Receiver receiver,
            RetrySettings retries,
            int batch,
            int prefetch,
            ConsumerEvent.Listener listener) {
        this.settings = settings;
        this.queue = queue;
        this.deadLetters = deadLetters;
        this.receiver = receiver;
        this.retries = retries;
        this.batch = batch;
        this.prefetch = prefetch;
        this.listener = listener;
    }

    /** How often handlers failed at messages, also of connections before: of so many messages as can be in hand, and some. */
    static final class FailureCounts {
        private static final int MOST = 100_000;

        private final Map<String, Integer> counts = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                return size() > MOST;
            }
        };

        int failed(@Nullable String id) {
            return counts.merge(String.valueOf(id), 1, Integer::sum);
        }

        void forget(@Nullable String id) {
            if (!counts.isEmpty()) counts.remove(id);
        }
    }

    @Override
    public void run() {
        int failures = 0;
        try {
            while (stopped.getCount() > 0) {
                boolean worked = false;
                try (ConsumerSession working = ConsumerSession.open(settings, queue, deadLetters, prefetch)) {
                    session = working;
                    if (stopped.getCount() == 0) return;
                    ConsumerWork work = new ConsumerWork(working, receiver, retries, batch, listener, failureCounts);
                    try {
                        work.untilStopped();
                    } finally {
                        worked = work.hasDoneAny();
                    }
                } catch (BrokerException e) {
                    listener.on(new ConsumerEvent.BrokerAway(String.valueOf(e.getMessage())));
                } catch (RuntimeException e) {
                    // A defect: nothing is acknowledged, so all of it comes again.
                    listener.on(new ConsumerEvent.BrokerAway("the consumer has failed: " + e));
                }
                failures = worked ? 1 : failures + 1;
                if (stopped.await(retries.pauseAfter(failures).toMillis(), TimeUnit.MILLISECONDS)) return;
            }
        } catch (InterruptedException e) {
            // Told to end at once.
        }
    }

    void stop() {
        stopped.countDown();
        ConsumerSession working = session;
        if (working != null) working.stop();
    }
}
