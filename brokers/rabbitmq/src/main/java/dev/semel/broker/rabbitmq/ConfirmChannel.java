package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ReturnListener;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.message.OutgoingMessage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A channel on which RabbitMQ confirms what it has. One thread sends on it, one wave at a time; the thread of the connection brings
 * the answers.
 */
final class ConfirmChannel implements ConfirmListener, ReturnListener {
    private final Channel channel;
    private final RabbitMqMessages messages;
    private final String exchange;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();

    /** The fields below are guarded by the lock. */
    private Wave wave = new Wave(List.of());

    private @Nullable RabbitMqFailure failure;

    /** The client library counts a message that RabbitMQ never got: no confirm on this channel means what it says any more. */
    private boolean miscounted;

    private ConfirmChannel(Channel channel, RabbitMqMessages messages, String exchange) {
        this.channel = channel;
        this.messages = messages;
        this.exchange = exchange;
    }

    static ConfirmChannel open(RabbitMqLink link, RabbitMqMessages messages, String exchange) throws IOException {
        Channel channel = link.channel();
        ConfirmChannel confirming = new ConfirmChannel(channel, messages, exchange);
        channel.addConfirmListener(confirming);
        channel.addReturnListener(confirming);
        channel.addShutdownListener(cause -> confirming.failed(RabbitMqFailure.of(cause)));
        channel.confirmSelect();
        return confirming;
    }

    /** Sends all of it, and returns when all is answered, when the channel is closed, or when the time is over. */
    void send(Wave sent, long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            wave = sent;
        } finally {
            lock.unlock();
        }
        for (int place = 0; place < sent.size(); place++) {
            if (!isUsable() || System.nanoTime() - deadline > 0) break;
            send(sent, place);
        }
        awaitAnswers(sent, deadline);
    }

    private void send(Wave sent, int place) {
        OutgoingMessage message = sent.message(place);
        long number = channel.getNextPublishSeqNo();
        guarded(() -> sent.sending(number, place));
        try {
            channel.basicPublish(exchange, message.topic(), true, messages.properties(message), message.payload());
        } catch (IOException | AlreadyClosedException e) {
            failed(RabbitMqFailure.of(e));
        } catch (IllegalArgumentException e) {
            guarded(() -> {
                sent.notSent(
                        number, place, new Delivery.Dead("invalid", "It does not fit into AMQP: " + e.getMessage()));
                miscounted = true;
            });
        }
    }

    private void awaitAnswers(Wave sent, long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!sent.isAnswered() && failure == null) {
                long left = deadline - System.nanoTime();
                if (left <= 0) break;
                news.awaitNanos(left);
            }
            // What is answered later is not heard: its sender has been told already.
            wave = new Wave(List.of());
        } finally {
            lock.unlock();
        }
    }

    boolean isUsable() {
        lock.lock();
        try {
            return failure == null && !miscounted;
        } finally {
            lock.unlock();
        }
    }

    /** Why it was closed; null when it is open. */
    @Nullable
    RabbitMqFailure failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        try {
            if (channel.isOpen()) channel.abort();
        } catch (IOException e) {
            // The connection is broken; the next one who uses it notices.
        }
    }

    @Override
    public void handleAck(long number, boolean multiple) {
        guarded(() -> wave.confirmed(number, multiple));
    }

    @Override
    public void handleNack(long number, boolean multiple) {
        Delivery full = new Delivery.Retry(
                "RabbitMQ has not taken it: a queue that it goes to is full, or cannot be written to at the moment",
                Delivery.Cause.MESSAGE);
        guarded(() -> wave.refused(number, multiple, full));
    }

    /** Comes before the confirm of the same message. */
    @Override
    public void handleReturn(
            int code, String text, String to, String routingKey, AMQP.BasicProperties properties, byte[] body) {
        String why = exchange.isEmpty()
                ? "RabbitMQ has no queue " + routingKey + ": make it, or name an exchange in the URL (?exchange=)"
                : "RabbitMQ has no queue for topic " + routingKey + ": bind one to the exchange " + exchange;
        guarded(() -> wave.cameBack(properties.getMessageId(), new Delivery.Retry(why, Delivery.Cause.MESSAGE)));
    }

    private void failed(RabbitMqFailure why) {
        guarded(() -> {
            if (failure == null) failure = why;
        });
    }

    private void guarded(Runnable change) {
        lock.lock();
        try {
            change.run();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
