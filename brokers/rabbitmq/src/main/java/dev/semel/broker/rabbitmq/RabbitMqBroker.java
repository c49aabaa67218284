package dev.semel.broker.rabbitmq;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Sends to RabbitMQ, with publisher confirms: a message counts as sent when all queues that it goes to have it, as safely as they
 * are set up to keep it. A topic is a routing key. At the default exchange, which is used unless the URL names another one,
 * that is the name of a queue. A message that no queue is bound for is refused and not dropped.
 *
 * <p>A message keeps its bytes; its id and type are the properties {@code message_id} and {@code type}, its key is the header
 * {@code semel-key}, and the attributes of CloudEvents are headers ({@code cloudEvents:id}, …), beside its own headers.
 *
 * <p>RabbitMQ cannot tell an old lease from a new one: when a relay is taken for dead and is not, a message may arrive once more,
 * with the same id, also after later ones of its key. None is lost, and none arrives for the first time behind a later one. Safe for
 * use by any thread.
 */
public final class RabbitMqBroker implements Broker {
    private final RabbitMqSettings settings;
    private final RabbitMqMessages messages;
    private final ScheduledThreadPoolExecutor watch;

    private RabbitMqBroker(RabbitMqSettings settings, String source) {
        this.settings = settings;
        this.messages = new RabbitMqMessages(source);
        this.watch = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("semel-rabbitmq-watch-", 0).factory());
        watch.setRemoveOnCancelPolicy(true);
    }

    /**
     * RabbitMQ at this address. Nothing is connected yet.
     *
     * @param url {@code amqp://user:password@host:port,host:port/virtual-host}, or {@code amqps://…}; after a question mark
     *     {@code exchange}, {@code connect-timeout}, {@code publish-timeout}, {@code heartbeat} and {@code max-message-size}
     * @param source which application the messages come from, as a URI reference
     * @throws IllegalArgumentException when the URL is wrong; the message says what
     */
    public static RabbitMqBroker open(String url, String source) {
        return new RabbitMqBroker(RabbitMqUrl.parse(url), source);
    }

    @Override
    public Publisher open(ShardLease lease) {
        RabbitMqPublisher publisher =
                new RabbitMqPublisher(settings, messages, watch, "semel relay, shard " + lease.shard());
        try {
            publisher.connect();
            return publisher;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException("interrupted while connecting to " + name(), e);
        }
    }

    @Override
    public Duration longestPublish() {
        return settings.longestPublish();
    }

    @Override
    public String name() {
        return settings.name();
    }

    /** Each publisher has a connection of its own, and closes it. */
    @Override
    public void close() {
        watch.shutdownNow();
    }
}
