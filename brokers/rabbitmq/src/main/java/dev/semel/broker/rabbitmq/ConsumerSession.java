package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.messaging.broker.BrokerException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which messages of one queue arrive. Its events are run by the thread that waits for them, so that all its state is
 * that thread's; only {@link #stop} may be called by any.
 */
final class ConsumerSession implements AutoCloseable {
    private static final String REASON = "semel-dead-reason";
    private static final String QUEUE = "semel-dead-queue";
    private static final String ATTEMPTS = "semel-dead-attempts";
    private static final int LONGEST_REASON = 1000;

    private final RabbitMqSettings settings;
    private final RabbitMqLink link;
    private final String queue;
    private final DeadLetterPlace deadLetters;
    private final HeldMessages held = new HeldMessages();
    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private @Nullable Channel channel;
    private @Nullable String broken;
    private boolean stopping;

    private ConsumerSession(RabbitMqSettings settings, RabbitMqLink link, String queue, DeadLetterPlace deadLetters) {
        this.settings = settings;
        this.link = link;
        this.queue = queue;
        this.deadLetters = deadLetters;
    }

    /** @throws BrokerException when RabbitMQ cannot be reached, or has no such queue, or none for dead letters */
    static ConsumerSession open(RabbitMqSettings settings, String queue, DeadLetterPlace deadLetters, int prefetch)
            throws InterruptedException {
        RabbitMqLink link = RabbitMqLink.open(settings, "semel consumer of " + queue);
        ConsumerSession session = new ConsumerSession(settings, link, queue, deadLetters);
        try {
            if (deadLetters instanceof DeadLetterPlace.Queue place)
                session.require(
                        place.name(), "no queue " + place.name() + " for dead letters; nothing is taken before");
            session.require(queue, "no queue " + queue);
            session.consume(prefetch);
            return session;
        } catch (IOException | RuntimeException e) {
            link.cut();
            throw e instanceof BrokerException already ? already : session.failure(e);
        }
    }

    private void require(String name, String otherwise) throws IOException {
        Channel asking = link.channel();
        try {
            asking.queueDeclarePassive(name);
            asking.abort();
        } catch (IOException e) {
            RabbitMqFailure failure = RabbitMqFailure.of(e);
            if (failure.code() != AMQP.NOT_FOUND) throw e;
            throw new BrokerException(settings.name() + " has " + otherwise + ": make it.", e);
        }
    }

    private void consume(int prefetch) throws IOException {
        Channel opened = link.channel();
        channel = opened;
        opened.basicQos(prefetch);
        opened.basicConsume(queue, false, new DefaultConsumer(opened) {
            @Override
            public void handleDelivery(
                    String consumer, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
                HeldMessage arrived = new HeldMessage(
                        envelope.getDeliveryTag(),
                        RabbitMqMessages.incoming(envelope.getRoutingKey(), properties, body),
                        properties);
                events.add(() -> held.add(arrived));
            }

            @Override
            public void handleCancel(String consumer) {
                events.add(() -> broken = "the queue was deleted, or its node is down");
            }

            @Override
            public void handleShutdownSignal(String consumer, ShutdownSignalException cause) {
                events.add(() -> broken = RabbitMqFailure.of(cause).text());
            }
        });
    }

    void stop() {
        events.add(() -> stopping = true);
    }

    boolean isStopping() {
        return stopping;
    }

    HeldMessages held() {
        return held;
    }

    /**
     * Runs all events that are there; if there are none, waits for one for so long at most.
     *
     * @throws BrokerException when nothing more arrives here
     */
    void runEvents(long nanos) throws InterruptedException {
        Runnable event = events.poll(nanos, TimeUnit.NANOSECONDS);
        while (event != null) {
            event.run();
            event = events.poll();
        }
        if (broken != null && !stopping)
            throw new BrokerException(
                    settings.name() + " sends nothing more from queue " + queue + ": " + broken, null);
    }

    /** @param andBelow all numbers below are meant too */
    void acknowledge(long tag, boolean andBelow) {
        onChannel(it -> it.basicAck(tag, andBelow));
    }

    /** Puts it where dead letters go, and only then takes it out of its queue. */
    void park(HeldMessage message, String reason) throws InterruptedException {
        switch (deadLetters) {
            case DeadLetterPlace.Queue place -> {
                send(place.name(), message, reason);
                acknowledge(message.tag, false);
            }
            case DeadLetterPlace.ExchangeOfQueue it -> onChannel(on -> on.basicNack(message.tag, false, false));
            case DeadLetterPlace.None it -> throw new IllegalStateException("Nobody said where dead letters go.");
        }
    }

    private void send(String to, HeldMessage message, String reason) throws InterruptedException {
        AtomicBoolean returned = new AtomicBoolean();
        try {
            Channel sending = link.channel();
            sending.addReturnListener((code, text, exchange, routingKey, properties, body) -> returned.set(true));
            sending.confirmSelect();
            sending.basicPublish("", to, true, dead(message, reason), message.message.payload());
            boolean taken = sending.waitForConfirms(settings.publish().toMillis());
            if (!taken || returned.get())
                throw new BrokerException(
                        settings.name() + " has not taken a dead letter into queue " + to
                                + (returned.get() ? ": there is no such queue." : ": it is full, or not available."),
                        null);
            sending.abort();
        } catch (IOException | AlreadyClosedException | TimeoutException e) {
            throw failure(e);
        }
    }

    /** The same, without what would make it expire, go elsewhere or be refused. */
    private AMQP.BasicProperties dead(HeldMessage message, String reason) {
        Map<String, Object> headers = new HashMap<>();
        if (message.properties.getHeaders() != null) headers.putAll(message.properties.getHeaders());
        headers.remove("CC");
        headers.remove("BCC");
        headers.put(REASON, reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason);
        headers.put(QUEUE, queue);
        headers.put(ATTEMPTS, message.failures);
        return message.properties
                .builder()
                .headers(headers)
                .deliveryMode(2)
                .expiration(null)
                .userId(null)
                .build();
    }

    @FunctionalInterface
    private interface Call {
        void on(Channel channel) throws IOException;
    }

    private void onChannel(Call call) {
        Channel on = channel;
        if (on == null) throw new BrokerException(settings.name() + " is not connected.", null);
        try {
            call.on(on);
        } catch (IOException | AlreadyClosedException e) {
            throw failure(e);
        }
    }

    private BrokerException failure(Exception e) {
        return new BrokerException(settings.name() + ", queue " + queue + ": " + RabbitMqFailure.of(e), e);
    }

    /** What was not acknowledged is the queue's again. */
    @Override
    public void close() {
        link.close();
    }
}
