package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.semel.messaging.broker.BrokerException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A connection to RabbitMQ that can be cut at any moment, whatever it is doing. Safe for use by any thread. */
final class RabbitMqLink implements AutoCloseable {
    private static final int LONGEST_GOODBYE = 1000;

    private final Connection connection;
    private final CuttableSockets sockets;
    private volatile @Nullable String blocked;
    private volatile boolean cut;

    private RabbitMqLink(Connection connection, CuttableSockets sockets) {
        this.connection = connection;
        this.sockets = sockets;
        connection.addBlockedListener(reason -> blocked = reason, () -> blocked = null);
    }

    /**
     * Connects, on a thread of its own: even a name that is looked up for too long holds up nobody.
     *
     * @param name how RabbitMQ shows it in its lists
     * @throws BrokerException when it cannot be reached, or does not let this user in
     */
    static RabbitMqLink open(RabbitMqSettings settings, String name) throws InterruptedException {
        CuttableSockets sockets = new CuttableSockets();
        FutureTask<Connection> connecting = new FutureTask<>(() -> connect(settings, name, sockets));
        Thread.ofPlatform().daemon().name("semel-rabbitmq-connects").start(connecting);
        try {
            return new RabbitMqLink(connecting.get(settings.connect().toMillis(), TimeUnit.MILLISECONDS), sockets);
        } catch (TimeoutException e) {
            sockets.cut();
            throw away(
                    settings, "it did not answer within " + settings.connect().toMillis() + " ms", e);
        } catch (ExecutionException e) {
            sockets.cut();
            throw away(settings, explained(settings, RabbitMqFailure.of(e)), e);
        } catch (InterruptedException e) {
            sockets.cut();
            throw e;
        }
    }

    private static Connection connect(RabbitMqSettings settings, String name, CuttableSockets sockets)
            throws IOException, TimeoutException {
        Connection connection = settings.factory(sockets).newConnection(settings.addresses(), name);
        if (settings.exchange().isEmpty()) return connection;
        Channel channel = connection.createChannel();
        channel.exchangeDeclarePassive(settings.exchange());
        channel.close();
        return connection;
    }

    private static String explained(RabbitMqSettings settings, RabbitMqFailure failure) {
        return switch (failure.code()) {
            case AMQP.ACCESS_REFUSED -> "it does not let the user " + settings.user() + " in: " + failure;
            case AMQP.NOT_FOUND -> noExchange(settings);
            default -> failure.toString();
        };
    }

    static String noExchange(RabbitMqSettings settings) {
        return "it has no exchange " + settings.exchange() + ": make it, or name another one in the URL (?exchange=)";
    }

    private static BrokerException away(RabbitMqSettings settings, String why, @Nullable Throwable cause) {
        return new BrokerException(settings.name() + " cannot be used: " + why, cause);
    }

    /** @throws IOException when the connection is broken, or may have no more channels */
    Channel channel() throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) throw new IOException("RabbitMQ allows no more channels on this connection.");
        return channel;
    }

    boolean isOpen() {
        return !cut && connection.isOpen();
    }

    /** Why RabbitMQ takes no messages at the moment, such as that it is low on memory; null when it does. */
    @Nullable
    String blocked() {
        return blocked;
    }

    /** Ends it at once: nothing is waited for, and nothing more is sent. */
    void cut() {
        cut = true;
        sockets.cut();
    }

    /** Says goodbye first, if RabbitMQ is listening. */
    @Override
    public void close() {
        if (blocked == null) connection.abort(LONGEST_GOODBYE);
        cut();
    }
}
