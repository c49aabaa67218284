package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.message.OrderedKey;
import org.jspecify.annotations.Nullable;

/** A message that a consumer has from RabbitMQ and has not acknowledged. For one thread. */
final class HeldMessage {
    final long tag;
    final IncomingMessage message;
    final AMQP.BasicProperties properties;

    /** How often its handler has failed. */
    int failures;

    /** Not to be tried before then, by the clock of the loop. */
    long due;

    HeldMessage(long tag, IncomingMessage message, AMQP.BasicProperties properties) {
        this.tag = tag;
        this.message = message;
        this.properties = properties;
    }

    @Nullable
    OrderedKey order() {
        String key = message.key();
        return key == null ? null : new OrderedKey(message.topic(), key);
    }
}
