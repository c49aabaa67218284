package dev.semel.examples.demo.messages;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Sends to the {@link BadBroker}: for the relay, and for a shop that sends by itself. */
final class BadBrokerClient implements Broker {
    private static final int TIMEOUT_MILLIS = 700;

    private final int port;

    BadBrokerClient(int port) {
        this.port = port;
    }

    /** One message, on a connection of its own. Without an exception the broker has it; with one it may have it. */
    void send(String id, OrderPlaced order) throws IOException {
        try (Socket connection = connect()) {
            DataOutputStream out = new DataOutputStream(connection.getOutputStream());
            out.writeInt(1);
            write(out, id, order.id(), order.line());
            out.flush();
            new DataInputStream(connection.getInputStream()).readByte();
        }
    }

    private Socket connect() throws IOException {
        Socket connection = new Socket();
        connection.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        connection.setSoTimeout(TIMEOUT_MILLIS);
        return connection;
    }

    private static void write(DataOutputStream out, String id, String key, String body) throws IOException {
        out.writeUTF(id);
        out.writeUTF(key);
        out.writeUTF(body);
    }

    @Override
    public Publisher open(ShardLease lease) {
        return new Publisher() {
            @Override
            public List<Delivery> publish(List<OutgoingMessage> messages) {
                try (Socket connection = connect()) {
                    DataOutputStream out = new DataOutputStream(connection.getOutputStream());
                    out.writeInt(messages.size());
                    for (OutgoingMessage each : messages)
                        write(
                                out,
                                each.id().toString(),
                                String.valueOf(each.key()),
                                new String(each.payload(), StandardCharsets.UTF_8));
                    out.flush();
                    new DataInputStream(connection.getInputStream()).readByte();
                    return Collections.nCopies(messages.size(), new Delivery.Sent());
                } catch (IOException e) {
                    throw new BrokerException("There was no answer.", e);
                }
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Duration longestPublish() {
        return Duration.ofMillis(3 * TIMEOUT_MILLIS);
    }

    @Override
    public String name() {
        return "the bad broker of the demo";
    }

    @Override
    public void close() {}
}
