package dev.semel.broker.rabbitmq;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RetrySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages from a queue of RabbitMQ and has a {@link Receiver} handle them. A message is acknowledged after its transaction has
 * committed; what comes again has no effect. It goes on by itself when RabbitMQ or the database was away.
 *
 * <pre>{@code
 * try (RabbitMqConsumer consumer = RabbitMqConsumer.of(receiver)
 *         .from("amqp://rabbit/", "orders").deadLettersTo("orders.dead").start()) { … }
 * }</pre>
 *
 * <p>Messages with the same topic and key are handled in the order of the queue, also when one is tried several times. More than one
 * consumer of the same queue do not keep that order between them, unless the queue has {@code x-single-active-consumer}.
 *
 * <p>Safe for use by any thread.
 */
public final class RabbitMqConsumer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ConsumerLoop loop;
    private final Thread thread;

    private RabbitMqConsumer(ConsumerLoop loop, Thread thread) {
        this.loop = loop;
        this.thread = thread;
    }

    /** A consumer that has its messages handled so; say {@link Plan#from where from}. */
    public static Plan of(Receiver receiver) {
        return new Plan(
                receiver,
                null,
                null,
                new DeadLetterPlace.None(),
                RetrySettings.DEFAULT,
                100,
                200,
                ConsumerEvent.Listener.NONE);
    }

    /**
     * A consumer that is not started yet.
     *
     * @param batch so many messages are handled in one transaction, at most
     * @param prefetch so many messages are taken from the queue before the first of them is acknowledged, at most
     */
    public record Plan(
            Receiver receiver,
            @Nullable String url,
            @Nullable String queue,
            DeadLetterPlace deadLetters,
            RetrySettings retries,
            int batch,
            int prefetch,
            ConsumerEvent.Listener listener) {

        /** @param url as a {@link RabbitMqBroker} has it, but without an exchange */
        public Plan from(String url, String queue) {
            return new Plan(receiver, url, queue, deadLetters, retries, batch, prefetch, listener);
        }

        /**
         * What cannot be handled is sent to this queue, and is only taken away from its own when it is there. Headers say why
         * ({@code semel-dead-reason}) and where it comes from ({@code semel-dead-queue}).
         */
        public Plan deadLettersTo(String queue) {
            return withDeadLetters(new DeadLetterPlace.Queue(queue));
        }

        /**
         * What cannot be handled is rejected, and RabbitMQ sends it to the dead letter exchange of the queue. RabbitMQ drops it when
         * there is no such exchange, or no queue behind it, and a consumer cannot see whether there is one: it is you who says so.
         */
        public Plan deadLettersByExchangeOfQueue() {
            return withDeadLetters(new DeadLetterPlace.ExchangeOfQueue());
        }

        private Plan withDeadLetters(DeadLetterPlace place) {
            return new Plan(receiver, url, queue, place, retries, batch, prefetch, listener);
        }

        public Plan with(RetrySettings retries) {
            return new Plan(receiver, url, queue, deadLetters, retries, batch, prefetch, listener);
        }

        public Plan withBatch(int batch, int prefetch) {
            return new Plan(receiver, url, queue, deadLetters, retries, batch, prefetch, listener);
        }

        public Plan heardBy(ConsumerEvent.Listener listener) {
            return new Plan(receiver, url, queue, deadLetters, retries, batch, prefetch, listener);
        }

        /**
         * Starts it: it takes messages from now on, also while RabbitMQ or the database comes and goes.
         *
         * @throws IllegalStateException when nobody said where from, or where dead letters go
         * @throws IllegalArgumentException when the URL or a number is wrong
         */
        public RabbitMqConsumer start() {
            if (url == null || queue == null)
                throw new IllegalStateException("Say where the messages come from: of(receiver).from(url, queue).");
            if (deadLetters instanceof DeadLetterPlace.None)
                throw new IllegalStateException("Say where messages go that cannot be handled: deadLettersTo(queue), or"
                        + " deadLettersByExchangeOfQueue() if the queue has a dead letter exchange. RabbitMQ would drop"
                        + " them otherwise.");
            if (batch < 1 || prefetch < batch || prefetch > 65_535)
                throw new IllegalArgumentException("A batch has at least one message, and at least a batch is taken"
                        + " from the queue, and at most 65535: not " + batch + " and " + prefetch + ".");
            RabbitMqSettings settings = RabbitMqUrl.parse(url);
            if (!settings.exchange().isEmpty())
                throw new IllegalArgumentException(
                        "A consumer reads from a queue: leave exchange= out of the URL, which is for sending.");
            ConsumerLoop loop = new ConsumerLoop(
                    settings, queue, deadLetters, receiver, retries, batch, prefetch, listener.quiet());
            return new RabbitMqConsumer(
                    loop, Thread.ofVirtual().name("consumer of " + queue).start(loop));
        }
    }

    /** Stops it: what is being handled is finished and acknowledged, and the rest is the queue's again. */
    @Override
    public void close() {
        close(GRACE);
    }

    public void close(Duration grace) {
        loop.stop();
        try {
            if (!thread.join(grace)) {
                thread.interrupt();
                thread.join(grace);
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
