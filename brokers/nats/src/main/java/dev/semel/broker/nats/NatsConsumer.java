package dev.semel.broker.nats;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RetrySettings;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Receives the messages of a stream by a durable consumer, which it makes where it is missing, and hands them to a {@link Receiver}. A
 * message is acknowledged after its transaction has committed. Whatever comes again, because an acknowledgement was lost or came too
 * late, takes no effect.
 *
 * <pre>{@code
 * NatsConsumer.of("nats://nats-1:4222", "ORDERS", "billing")
 *         .deadLettersTo("dead.billing")
 *         .start(Receiver.of(inbox, "billing", this::bill));
 * }</pre>
 *
 * <p><b>Order.</b> One message is under way at a time, by the word of the server, however many processes share the durable consumer:
 * so everything is handled in the order of the stream, also when something fails. What fails holds all up until it is handled or put
 * aside. {@link Plan#inAnyOrder} gives order up, and is faster.
 *
 * <p><b>Poison.</b> A message that cannot be handled is sent to the subject for dead letters, and is then done. Without such a
 * subject it is tried for ever; nothing is ever thrown away.
 *
 * <p>Safe for use by any thread.
 */
public final class NatsConsumer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ConsumerLoop loop;
    private final Thread thread;

    private NatsConsumer(ConsumerLoop loop, Thread thread) {
        this.loop = loop;
        this.thread = thread;
    }

    /**
     * A consumer that is not started yet.
     *
     * @param url as {@link NatsBroker#open} takes it
     * @param stream what it reads
     * @param durable the name of the durable consumer, by which NATS knows what was acknowledged
     * @throws IllegalArgumentException when something of it is wrong; the message says what
     */
    public static Plan of(String url, String stream, String durable) {
        return new Plan(
                NatsUrl.parse(url),
                stream,
                durable,
                null,
                null,
                1,
                Duration.ofSeconds(30),
                RetrySettings.DEFAULT,
                ConsumerEvent.Listener.NONE);
    }

    /** How to consume. */
    public static final class Plan {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");
        private static final Pattern SUBJECT = Pattern.compile("[^\\s.]+(\\.[^\\s.]+)*");
        private static final int LARGEST_BATCH = 1000;

        private final NatsSettings settings;
        private final String stream;
        private final String durable;
        private final @Nullable String filter;
        private final @Nullable String deadLetters;
        private final int batch;
        private final Duration ackWait;
        private final RetrySettings retry;
        private final ConsumerEvent.Listener listener;

        private Plan(
                NatsSettings settings,
                String stream,
                String durable,
                @Nullable String filter,
                @Nullable String deadLetters,
                int batch,
                Duration ackWait,
                RetrySettings retry,
                ConsumerEvent.Listener listener) {
            for (String name : new String[] {stream, durable})
                require(
                        NAME.matcher(name).matches(),
                        "The names of a stream and a durable consumer have 1 to 100 letters, digits and characters _"
                                + " -.");
            require(
                    filter == null || SUBJECT.matcher(filter).matches(),
                    "A subject consists of parts with dots between them.");
            require(
                    deadLetters == null
                            || (SUBJECT.matcher(deadLetters).matches() && !Subjects.hasWildcard(deadLetters)),
                    "The subject for dead letters has no wildcards and no empty parts.");
            require(
                    deadLetters == null || filter == null || !Subjects.matches(filter, deadLetters),
                    "The consumer would receive its own dead letters: give them a subject that it does not read.");
            require(
                    batch >= 1 && batch <= LARGEST_BATCH,
                    "Messages are handled one by one, or up to " + LARGEST_BATCH + " together.");
            require(
                    ackWait.compareTo(Duration.ofMillis(100)) >= 0,
                    "NATS waits at least 100 ms for an acknowledgement.");
            this.settings = settings;
            this.stream = stream;
            this.durable = durable;
            this.filter = filter;
            this.deadLetters = deadLetters;
            this.batch = batch;
            this.ackWait = ackWait;
            this.retry = retry;
            this.listener = listener;
        }

        private static void require(boolean good, String rule) {
            if (!good) throw new IllegalArgumentException(rule);
        }

        /** Only messages of this subject, which may have wildcards, instead of all of the stream. */
        public Plan only(String subject) {
            return new Plan(settings, stream, durable, subject, deadLetters, batch, ackWait, retry, listener);
        }

        /**
         * Where messages go that cannot be handled: a subject that belongs to a stream, and is not among those that are read. They
         * arrive as they are, with headers that say why ({@code semel-dead-reason}, …).
         */
        public Plan deadLettersTo(String subject) {
            return new Plan(settings, stream, durable, filter, subject, batch, ackWait, retry, listener);
        }

        /** Handles up to so many messages in one transaction, in any order. */
        public Plan inAnyOrder(int together) {
            return new Plan(settings, stream, durable, filter, deadLetters, together, ackWait, retry, listener);
        }

        /** After how long NATS gives a message to somebody else when it hears nothing of this process, which died perhaps. */
        public Plan withAckWait(Duration ackWait) {
            return new Plan(settings, stream, durable, filter, deadLetters, batch, ackWait, retry, listener);
        }

        public Plan with(RetrySettings retry) {
            return new Plan(settings, stream, durable, filter, deadLetters, batch, ackWait, retry, listener);
        }

        public Plan heardBy(ConsumerEvent.Listener listener) {
            return new Plan(settings, stream, durable, filter, deadLetters, batch, ackWait, retry, listener);
        }

        NatsSettings settings() {
            return settings;
        }

        String stream() {
            return stream;
        }

        String durable() {
            return durable;
        }

        @Nullable
        String filter() {
            return filter;
        }

        @Nullable
        String deadLetters() {
            return deadLetters;
        }

        int batch() {
            return batch;
        }

        Duration ackWait() {
            return ackWait;
        }

        RetrySettings retry() {
            return retry;
        }

        ConsumerEvent.Listener listener() {
            return listener.quiet();
        }

        /** Starts it: it receives from now on, also while the broker or the database comes and goes. */
        public NatsConsumer start(Receiver receiver) {
            ConsumerLoop loop = new ConsumerLoop(this, receiver);
            return new NatsConsumer(
                    loop, Thread.ofVirtual().name("semel-nats-" + durable).start(loop));
        }
    }

    /** Stops it: what is being handled is waited for, for a while; others get the rest at once. */
    @Override
    public void close() {
        loop.stop();
        try {
            if (thread.join(GRACE)) return;
            thread.interrupt();
            thread.join(GRACE);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
