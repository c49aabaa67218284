package dev.semel.gateway;

import dev.semel.gateway.wire.StrictConnections;
import dev.semel.testkit.cassandra.CassandraServer;
import dev.semel.testkit.dynamodb.DynamoDbServer;
import dev.semel.testkit.mariadb.MariaDbServer;
import dev.semel.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** One server of each kind for the whole run: started when first asked for, ended when the last test is over. */
final class StoreServers implements BeforeAllCallback, AutoCloseable {
    static {
        // As the gateway does for the stores that it opens.
        StrictConnections.enable();
    }

    /** Short, for it holds a socket. */
    private static final Path FOLDER =
            Path.of("target", "servers-" + ProcessHandle.current().pid());

    private static final Shared<MariaDbServer> MARIADB = new Shared<>(
            folder -> MariaDbServer.start(folder, "--innodb-flush-log-at-trx-commit=0", "--max-allowed-packet=64M"),
            MariaDbServer::close);
    private static final Shared<RedisServer> REDIS = new Shared<>(RedisServer::start, RedisServer::close);
    private static final Shared<DynamoDbServer> DYNAMODB =
            new Shared<>(DynamoDbServer::startInMemory, DynamoDbServer::close);
    private static final Shared<CassandraServer> CASSANDRA =
            new Shared<>(CassandraServer::start, CassandraServer::close);
    private static final AtomicInteger FOLDERS = new AtomicInteger();
    private static final AtomicInteger KEYSPACES = new AtomicInteger();
    private static final Deque<Runnable> ENDINGS = new ArrayDeque<>();

    /** Started by whoever comes first; the others wait for it. */
    private static final class Shared<T> {
        private final Function<Path, T> starting;
        private final Consumer<T> ending;
        private @Nullable T server;

        Shared(Function<Path, T> starting, Consumer<T> ending) {
            this.starting = starting;
            this.ending = ending;
        }

        synchronized T get() {
            if (server != null) return server;
            T started = starting.apply(freshFolder());
            server = started;
            synchronized (ENDINGS) {
                ENDINGS.push(() -> ending.accept(started));
            }
            return started;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(StoreServers.class, key -> this);
    }

    /** Deleted when the run is over. */
    static Path freshFolder() {
        return FOLDER.resolve("" + FOLDERS.incrementAndGet());
    }

    static RedisServer redis() {
        return REDIS.get();
    }

    static CassandraServer cassandra() {
        return CASSANDRA.get();
    }

    static DynamoDbServer dynamoDb() {
        return DYNAMODB.get();
    }

    /** The URL of a database that nobody else has. */
    static String freshMariaDb() throws SQLException {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        say(MARIADB.get().jdbcUrl(), "create database " + name);
        return MARIADB.get().jdbcUrl(name);
    }

    /**
     * The URL of a table that nobody else has, made as by hand, without TTL: the server would delete by the real clock what a
     * test's clock says is still remembered.
     */
    static String freshTable() {
        String table = "keys-" + UUID.randomUUID();
        URI endpoint = DYNAMODB.get().endpoint();
        try (DynamoDbClient client = DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .build()) {
            client.createTable(request -> request.tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.B)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build()));
        }
        return "dynamodb://eu-central-1/" + table + "?endpoint=" + endpoint;
    }

    /** The URL of a keyspace that nobody else has, and that is made by whoever opens it. */
    static String freshKeyspace() {
        return CASSANDRA.get().url("ks" + KEYSPACES.incrementAndGet()) + "&create=true";
    }

    static void say(String jdbcUrl, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(jdbcUrl);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        synchronized (ENDINGS) {
            ENDINGS.forEach(Runnable::run);
        }
        if (!Files.exists(FOLDER)) return;
        try (Stream<Path> tree = Files.walk(FOLDER)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) Files.delete(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
