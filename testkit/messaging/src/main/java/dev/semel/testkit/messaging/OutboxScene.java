package dev.semel.testkit.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelaySettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** An outbox in a new database, a broker in memory, and messages whose bodies are numbers. */
public abstract class OutboxScene extends MessagingDatabaseScene {
    protected static final RelaySettings QUICK = RelaySettings.DEFAULT
            .withLease(Duration.ofSeconds(2))
            .withPolls(Duration.ofMillis(2), Duration.ofMillis(20))
            .withPauses(Duration.ofMillis(5), Duration.ofMillis(50))
            .withAttempts(3);

    protected final MemoryBroker broker = new MemoryBroker();
    private Outbox outbox;

    @BeforeEach
    final void openOutbox() throws SQLException {
        outbox = Outbox.open(database());
    }

    protected final Outbox outbox() {
        return outbox;
    }

    protected final Relay relay() {
        return Relay.from(outbox).to(broker).with(QUICK).start();
    }

    protected static Message message(String key, int body) {
        return Message.of("orders", "order.paid", Integer.toString(body).getBytes(UTF_8))
                .withKey(key);
    }

    protected final List<UUID> append(Message... messages) throws SQLException {
        try (Connection connection = transaction()) {
            List<UUID> ids = outbox.append(connection, List.of(messages));
            connection.commit();
            outbox.committed();
            return ids;
        }
    }

    protected final List<UUID> append(String key, int... bodies) throws SQLException {
        List<Message> messages = new ArrayList<>();
        for (int body : bodies) messages.add(message(key, body));
        return append(messages.toArray(Message[]::new));
    }

    protected final List<UUID> taken() {
        return broker.taken().stream().map(OutgoingMessage::id).toList();
    }

    /** The bodies of a key in the order in which the broker took them. */
    protected final List<Integer> bodies(String key) {
        return broker.taken().stream()
                .filter(message -> key.equals(message.key()))
                .map(OutboxScene::body)
                .toList();
    }

    protected static int body(OutgoingMessage message) {
        return Integer.parseInt(new String(message.payload(), UTF_8));
    }
}
