package dev.semel.broker.nats;

import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.nats.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One server for all tests of this module, and what only the driver itself can tell of it. */
@SuppressWarnings("try") // closing a connection may be interrupted, as anything else here
final class SharedNats implements BeforeAllCallback, AutoCloseable {
    private static @Nullable NatsServer server;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedNats.class, key -> this);
    }

    static synchronized NatsServer server() {
        if (server == null)
            server = NatsServer.start(
                    Path.of("target", "nats-" + ProcessHandle.current().pid()));
        return server;
    }

    @FunctionalInterface
    interface Work<T> {
        T with(Connection connection) throws IOException, JetStreamApiException, InterruptedException;
    }

    static <T> T connected(Work<T> work) throws IOException, JetStreamApiException, InterruptedException {
        try (Connection connection =
                Nats.connect(new Options.Builder().server(server().url()).build())) {
            return work.with(connection);
        }
    }

    /** A stream that takes this subject. */
    static void create(String subject, UnaryOperator<StreamConfiguration.Builder> settings)
            throws IOException, JetStreamApiException, InterruptedException {
        StreamConfiguration.Builder stream = StreamConfiguration.builder()
                .name(stream(subject))
                .subjects(subject)
                .storageType(StorageType.File);
        connected(connection -> connection
                .jetStreamManagement()
                .addStream(settings.apply(stream).build()));
    }

    static String stream(String subject) {
        return subject.replaceAll("[^A-Za-z0-9-]", "_");
    }

    /** What is in the stream, in its order. */
    static List<ArrivedMessage> arrived(String subject, int atLeast)
            throws IOException, JetStreamApiException, InterruptedException {
        return connected(connection -> {
            JetStreamManagement streams = connection.jetStreamManagement();
            List<ArrivedMessage> arrived = new ArrayList<>();
            long next = 1;
            while (true) {
                long last =
                        streams.getStreamInfo(stream(subject)).getStreamState().getLastSequence();
                for (; next <= last; next++) arrived.add(arrived(streams.getMessage(stream(subject), next)));
                if (arrived.size() >= atLeast) return arrived;
                LockSupport.parkNanos(5_000_000);
            }
        });
    }

    /** Read here in other words than the broker's own. */
    private static ArrivedMessage arrived(MessageInfo message) {
        Map<String, String> attributes = new TreeMap<>();
        Map<String, String> headers = new TreeMap<>();
        Headers given = message.getHeaders();
        String encoded = given.getFirst("semel-encoded");
        List<String> encodedNames = encoded == null ? List.of() : List.of(encoded.split(","));
        for (String name : given.keySet()) {
            String value = given.getFirst(name);
            if (name.startsWith("ce-")) attributes.put(name.substring(3), decoded(value));
            else headers.put(name, encodedNames.contains(name) ? decoded(value) : value);
        }
        String key = given.getFirst("semel-key");
        if (!attributes.get("id").equals(given.getFirst("Nats-Msg-Id"))) throw new AssertionError("two ids");
        byte[] payload = message.getData() == null ? new byte[0] : message.getData();
        return new ArrivedMessage(key == null ? null : decoded(key), attributes, headers, payload);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        synchronized (SharedNats.class) {
            if (server != null) server.close();
            server = null;
        }
    }
}
