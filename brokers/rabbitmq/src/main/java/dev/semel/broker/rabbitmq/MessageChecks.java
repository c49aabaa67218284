package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which messages RabbitMQ would close the channel for. How large a message may be it does not say before it has refused one; that
 * is remembered as long as the connection lasts, because the limit only changes with a restart of RabbitMQ. For one thread.
 */
final class MessageChecks {
    private static final Pattern TOO_LARGE = Pattern.compile("message size \\d+ is larger than .*?max size (\\d+)");

    /** Lists of further addressees to RabbitMQ; a text in their place is an error to it. */
    private static final List<String> ADDRESSEES = List.of("CC", "BCC");

    private long largest;

    MessageChecks(long largest) {
        this.largest = largest;
    }

    /** Null when it can be sent. */
    @Nullable
    Delivery refusal(OutgoingMessage message) {
        int size = message.payload().length;
        if (size > largest)
            return new Delivery.Dead(
                    "too-large", "It has " + size + " bytes, and RabbitMQ takes " + largest + " (max_message_size).");
        for (String header : ADDRESSEES)
            if (message.headers().containsKey(header))
                return new Delivery.Dead(
                        "invalid",
                        "It has a header " + header
                                + ", which means further addressees to RabbitMQ: choose another name.");
        return null;
    }

    /** @return whether something was learned: the same messages are told apart now */
    boolean learn(RabbitMqFailure failure) {
        Matcher said = TOO_LARGE.matcher(failure.text());
        if (failure.code() != AMQP.PRECONDITION_FAILED || !said.find()) return false;
        long limit = Long.parseLong(said.group(1));
        boolean learned = limit < largest;
        if (learned) largest = limit;
        return learned;
    }

    /** Of the one message that RabbitMQ has closed the channel for. */
    static Delivery refused(RabbitMqFailure failure) {
        return switch (failure.code()) {
            case AMQP.ACCESS_REFUSED ->
                new Delivery.Retry("RabbitMQ does not allow it: " + failure, Delivery.Cause.MESSAGE);
            case AMQP.PRECONDITION_FAILED, AMQP.CONTENT_TOO_LARGE ->
                new Delivery.Dead("refused", "RabbitMQ does not take it: " + failure);
            default -> new Delivery.Retry("RabbitMQ has not taken it: " + failure, Delivery.Cause.MESSAGE);
        };
    }
}
