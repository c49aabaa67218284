package dev.semel.torture.library;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.Codec;
import dev.semel.core.FailurePolicy;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.SemelException;
import dev.semel.core.claim.Probe;
import dev.semel.core.claim.ProbePlan;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.store.jdbc.JdbcOptions;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.torture.RunClock;
import dev.semel.torture.ledger.LedgerServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service that uses the library as a program would, as a process of its own: with a lease around a call to the service
 * behind, or joined with a row in its own database. Its answers are those of a gateway.
 */
public final class LibraryShop {
    public static final String ONCE = "/once";
    public static final String PROBED = "/probed";
    public static final String JOINED = "/joined";
    public static final String READY = "/readyz";

    private static final int BACKLOG = 512;
    private static final int SLOWEST_MILLIS = 1_500;
    private static final int CONNECTIONS = 10;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Pattern PAYLOAD = Pattern.compile("\\{\"payload\":(\\d+)}");

    private final ShopConfig config;
    private final RunClock clock;
    private final KeyStore store;
    private final HikariDataSource database;
    private final LedgerClient ledger;
    private final JoinedLedger rows;
    private final Operation<String> once;
    private final Operation<String> probed;
    private final Operation<String> repeatable;
    private final Operation<String> joined;

    private LibraryShop(ShopConfig config, KeyStore store) {
        this.config = config;
        this.clock = new RunClock(config.clockBegan());
        this.store = store;
        this.database = pool(config.store());
        this.ledger = new LedgerClient(config.ledgerPort());
        this.rows = new JoinedLedger(config.table());
        Semel semel = Semel.on(store).start();
        this.once = leased(semel, "once");
        this.probed = leased(semel, "probed").withProbe(probe());
        this.repeatable = leased(semel, "repeatable").withGuarantee(Guarantee.AT_LEAST_ONCE);
        this.joined = semel.operation("joined", Codec.text()).withWaitFor(WAIT);
    }

    /** Argument: the name of a {@link ShopConfig}. */
    public static void main(String[] args) throws IOException {
        serve(Path.of(args[0]), UnaryOperator.identity());
    }

    /** @param planted what stands between the library and its store */
    public static void serve(Path file, UnaryOperator<KeyStore> planted) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
        ShopConfig config = ShopConfig.read(file);
        JdbcOptions options = JdbcOptions.DEFAULT.withPoolSize(CONNECTIONS);
        KeyStore store = planted.apply(PostgresKeyStore.open(config.store(), options));
        LibraryShop shop = new LibraryShop(config, store);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), config.port());
        HttpServer server = HttpServer.create(address, BACKLOG);
        server.createContext("/", shop::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /** Connections for its own transactions. Who waits for an answer must not wait for ever. */
    private static HikariDataSource pool(String url) {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl(url);
        settings.setMaximumPoolSize(CONNECTIONS);
        settings.setConnectionTimeout(1_000);
        settings.setInitializationFailTimeout(-1);
        settings.addDataSourceProperty("connectTimeout", "2");
        settings.addDataSourceProperty("socketTimeout", "4");
        return new HikariDataSource(settings);
    }

    private static Operation<String> leased(Semel semel, String name) {
        return semel.operation(name, Codec.text())
                .withLease(LEASE)
                .withWaitFor(WAIT)
                .withFailures(FailurePolicy.ALL_IN_DOUBT.transients(LedgerClient.NotSentException.class));
    }

    /** Believed only after a time in which every request under way has arrived or never will. */
    private ProbePlan probe() {
        return new ProbePlan(
                (id, memo) -> find(id),
                Duration.ofSeconds(4),
                Duration.ofSeconds(1),
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                ProbePlan.DEFAULT_ATTEMPTS);
    }

    private Probe.Finding find(KeyId id) {
        try {
            String body = ledger.find(LedgerServer.PROBE + id.key());
            if (body == null) return new Probe.Finding.DidNotHappen();
            return new Probe.Finding.Happened(
                    Outcome.of(Outcome.Format.VALUE, body.getBytes(StandardCharsets.UTF_8), 0));
        } catch (IOException e) {
            return new Probe.Finding.StillUnknown(String.valueOf(e.getMessage()));
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals(READY)) ready().send(exchange);
            else {
                String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                Matcher payload = PAYLOAD.matcher(request);
                String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
                if (key == null || !payload.matches()) throw new IOException("No whole request: " + request);
                answer(path, key, Integer.parseInt(payload.group(1))).send(exchange);
            }
        }
    }

    private Reply ready() {
        try (Connection connection = database.getConnection()) {
            store.now();
            return connection.isValid(1) ? new Reply(200, false, "{}") : Reply.problem(503, "store-unavailable");
        } catch (SQLException | StoreException e) {
            return Reply.problem(503, "store-unavailable");
        }
    }

    private Reply answer(String path, String key, int payload) {
        try {
            return Reply.of(
                    switch (path) {
                        case ONCE -> leased(once, path, key, payload);
                        case PROBED -> leased(probed, path, key, payload);
                        case LedgerServer.REPEATABLE -> leased(repeatable, path, key, payload);
                        case JOINED -> joined(key, payload);
                        default -> throw new IllegalArgumentException("No such path: " + path);
                    });
        } catch (StoreException | SQLException e) {
            // Of a transaction: it may be committed even so. Whoever asks again under this key will see.
            return Reply.problem(503, "store-unavailable");
        } catch (LedgerClient.NotSentException e) {
            return Reply.problem(502, "upstream-unreachable");
        } catch (IOException | SemelException e) {
            return Reply.problem(502, "outcome-unknown");
        } catch (RuntimeException e) {
            // No answer of those that are documented: a law is broken where the library fails by itself.
            e.printStackTrace();
            return Reply.problem(500, "failed");
        }
    }

    private Once<String> leased(Operation<String> operation, String path, String key, int payload) throws IOException {
        return operation.attempt(key, payload, attempt -> ledger.act(path, attempt, payload));
    }

    private Once<String> joined(String key, int payload) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Once<String> answer = joined.joining(connection).attempt(key, payload, attempt -> {
                String body = rows.act(connection, attempt, payload, clock);
                takeTime();
                return body;
            });
            connection.commit();
            return answer;
        }
    }

    private void takeTime() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(100) >= config.slowPercent()) return;
        LockSupport.parkNanos(random.nextInt(SLOWEST_MILLIS) * 1_000_000L);
    }

    /** An answer as a gateway gives it. */
    private record Reply(int status, boolean replayed, String body) {
        static Reply of(Once<String> answer) {
            return switch (answer) {
                case Once.Ran<String> it -> fresh(it.value());
                case Once.Replayed<String> it -> new Reply(201, true, it.value());
                case Once.InProgress<String> it -> problem(409, "in-progress");
                case Once.InDoubt<String> it -> problem(409, "outcome-unknown");
                case Once.KeyReused<String> it -> problem(422, "key-reused");
                case Once.Spent<String> it -> problem(410, "key-spent");
                case Once.OverQuota<String> it -> problem(429, "quota-exceeded");
                case Once.NotKept<String> it -> problem(500, "response-not-kept");
                case Once.Failed<String> it -> problem(500, "failed");
            };
        }

        static Reply fresh(String body) {
            return new Reply(201, false, body);
        }

        static Reply problem(int status, String name) {
            return new Reply(status, false, "{\"type\":\"urn:semel:problem:" + name + "\"}");
        }

        void send(HttpExchange exchange) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            if (replayed) exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        }
    }
}
