package dev.semel.broker.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.SocketConfigurators;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * Where RabbitMQ is, and how long to wait for it.
 *
 * @param exchange empty for the default exchange, at which a topic is the name of a queue
 * @param connect how long connecting takes at most, with all that belongs to it
 * @param publish how long RabbitMQ may take to confirm a shipment
 * @param heartbeat after twice this time without a word a connection counts as broken
 * @param largest so many bytes a payload may have; larger ones are not sent
 */
record RabbitMqSettings(
        List<Address> addresses,
        boolean tls,
        String user,
        String password,
        String host,
        String exchange,
        Duration connect,
        Duration publish,
        Duration heartbeat,
        int largest) {

    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** A factory whose connections go by these sockets. It repairs nothing by itself: what was sent is only known here. */
    ConnectionFactory factory(CuttableSockets sockets) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUsername(user);
        factory.setPassword(password);
        factory.setVirtualHost(host);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        int millis = Math.toIntExact(connect.toMillis());
        factory.setConnectionTimeout(millis);
        factory.setHandshakeTimeout(millis);
        factory.setChannelRpcTimeout(millis);
        factory.setShutdownTimeout(millis);
        factory.setRequestedHeartbeat(Math.toIntExact(heartbeat.toSeconds()));
        factory.setThreadFactory(
                Thread.ofPlatform().daemon().name("semel-rabbitmq-", 0).factory());
        SocketConfigurator configurator =
                SocketConfigurators.defaultConfigurator().andThen(sockets::add);
        if (tls) {
            factory.useSslProtocol(defaultContext());
            configurator = configurator.andThen(SocketConfigurators.enableHostnameVerification());
        }
        factory.setSocketConfigurator(configurator);
        return factory;
    }

    /** The one that the JVM is set up with ({@code javax.net.ssl.trustStore} and so on), which trusts no stranger. */
    private static SSLContext defaultContext() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JVM has no TLS.", e);
        }
    }

    /** Connecting, then all waves of a shipment, and a moment to notice that the time is over. */
    Duration longestPublish() {
        return connect.plus(publish).plus(MARGIN);
    }

    /** Without user and password. */
    String name() {
        String at = addresses.stream()
                .map(it -> it.getHost() + ":" + ConnectionFactory.portOrDefault(it.getPort(), tls))
                .collect(Collectors.joining(","));
        return "RabbitMQ at " + at + (host.equals("/") ? "" : "/" + host)
                + (exchange.isEmpty() ? "" : ", exchange " + exchange);
    }

    @Override
    public String toString() {
        return name();
    }
}
