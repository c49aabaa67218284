package dev.semel.broker.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.postgres.PostgresServer;
import dev.semel.testkit.rabbitmq.RabbitMqServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One RabbitMQ, and one PostgreSQL for inboxes, for all tests of this module. */
final class SharedRabbitMq implements BeforeAllCallback, AutoCloseable {
    /** Larger than anything that an outbox has, and small enough to be exceeded in a test. */
    static final int LARGEST = 1_500_000;

    private static final Path FOLDER =
            Path.of("target", "servers-" + ProcessHandle.current().pid()).toAbsolutePath();

    private static @Nullable RabbitMqServer server;
    private static @Nullable PostgresServer postgres;
    private static @Nullable Connection connection;

    /** What was read from queues so far: reading takes it out. */
    private static final Map<String, List<ArrivedMessage>> READ = new HashMap<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedRabbitMq.class, key -> this);
        launch();
    }

    private static synchronized void launch() {
        if (server != null) return;
        try {
            Path definitions = Files.createDirectories(FOLDER).resolve("definitions.json");
            Files.writeString(definitions, definitions());
            server = RabbitMqServer.launch(
                    FOLDER.resolve("rabbitmq"), "max_message_size = " + LARGEST, "load_definitions = " + definitions);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        postgres = PostgresServer.startFromClassPath(FOLDER.resolve("postgres"), "max_connections=100");
        server.awaitConnections();
    }

    /** {@code writes-nothing} may write to no exchange, {@code writes-some} only topics that begin with "open." to the exchange "topics". */
    private static String definitions() throws GeneralSecurityException {
        return """
            {"users": [%s, %s, %s],
             "vhosts": [{"name": "/"}, {"name": "a b/c"}],
             "permissions": [
               {"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"},
               {"user": "guest", "vhost": "a b/c", "configure": ".*", "write": ".*", "read": ".*"},
               {"user": "writes-nothing", "vhost": "/", "configure": "", "write": "", "read": ".*"},
               {"user": "writes-some", "vhost": "/", "configure": "", "write": ".*", "read": ".*"}],
             "topic_permissions": [
               {"user": "writes-some", "vhost": "/", "exchange": "topics", "write": "^open[.]", "read": ".*"}],
             "parameters": [], "global_parameters": [], "policies": [], "queues": [], "bindings": [],
             "exchanges": [{"name": "topics", "vhost": "/", "type": "topic", "durable": true, "auto_delete": false,
               "internal": false, "arguments": {}}]}
            """.formatted(user("guest", "guest"), user("writes-nothing", "p@ss:/"), user("writes-some", "secret"));
    }

    private static String user(String name, String password) throws GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(new byte[4]);
        byte[] hash = digest.digest(password.getBytes(UTF_8));
        byte[] salted = new byte[4 + hash.length];
        System.arraycopy(hash, 0, salted, 4, hash.length);
        return """
            {"name": "%s", "password_hash": "%s", "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": ""}\
            """.formatted(name, Base64.getEncoder().encodeToString(salted));
    }

    static synchronized RabbitMqServer server() {
        if (server == null) throw new IllegalStateException("not launched");
        return server;
    }

    /** A database of its own. */
    static synchronized String freshDatabase() throws SQLException {
        if (postgres == null) throw new IllegalStateException("not launched");
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        try (java.sql.Connection admin = DriverManager.getConnection(postgres.jdbcUrl());
                java.sql.Statement statement = admin.createStatement()) {
            statement.execute("create database " + name);
        }
        return postgres.jdbcUrl(name);
    }

    /** A channel of the test's own. */
    static synchronized Channel channel() {
        try {
            if (connection == null || !connection.isOpen()) {
                ConnectionFactory factory = new ConnectionFactory();
                factory.setUri(server().url());
                factory.setAutomaticRecoveryEnabled(false);
                connection = factory.newConnection("test");
            }
            return connection.createChannel();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException | GeneralSecurityException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @FunctionalInterface
    interface Call<R> {
        R on(Channel channel) throws IOException, TimeoutException;
    }

    static <R> R on(Call<R> call) {
        try (Channel channel = channel()) {
            return call.on(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    static String newQueue(Map<String, Object> arguments) {
        String name = "q-" + UUID.randomUUID();
        create(name, arguments);
        return name;
    }

    static void create(String name, Map<String, Object> arguments) {
        Map<String, Object> all = new HashMap<>(Map.of("x-queue-type", "quorum"));
        all.putAll(arguments);
        on(channel -> channel.queueDeclare(name, true, false, false, all));
    }

    /** All that has arrived in the queue since it was made, in its order. */
    static List<ArrivedMessage> arrived(String queue, int atLeast) {
        List<ArrivedMessage> arrived = READ.computeIfAbsent(queue, it -> new ArrayList<>());
        on(channel -> {
            GetResponse next = channel.basicGet(queue, true);
            while (next != null || arrived.size() < atLeast) {
                if (next != null) arrived.add(arrived(next));
                next = channel.basicGet(queue, true);
            }
            return arrived;
        });
        return List.copyOf(arrived);
    }

    private static ArrivedMessage arrived(GetResponse message) {
        Map<String, String> attributes = new TreeMap<>();
        Map<String, String> headers = new TreeMap<>();
        message.getProps().getHeaders().forEach((name, value) -> {
            if (!(value instanceof LongString)) return;
            if (name.startsWith("cloudEvents:")) attributes.put(name.substring(12), value.toString());
            else headers.put(name, value.toString());
        });
        return new ArrivedMessage(headers.remove("semel-key"), attributes, headers, message.getBody());
    }

    @Override
    public void close() {
        synchronized (SharedRabbitMq.class) {
            if (server != null) server.close();
            if (postgres != null) postgres.close();
            server = null;
            postgres = null;
        }
    }
}
