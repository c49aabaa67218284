package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.store.rocksdb.Durability;
import dev.semel.store.rocksdb.RocksKeyStore;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** A gateway on a store on disk, before an upstream that can be slow, lose its answers, or be gone. */
final class ObservedGateway implements AutoCloseable {
    static final String CHARGES = "POST /v1/charges";
    static final String REFUNDS = "POST /v1/refunds";
    static final String EVERYTHING = "* /**";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    final CountDownLatch slow = new CountDownLatch(1);
    volatile boolean losesAnswers;
    private final Path folder;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer upstream;
    private Gateway gateway;

    private ObservedGateway(Path folder) throws IOException {
        this.folder = folder;
        this.upstream = upstream(0);
    }

    static ObservedGateway start(Path folder) throws Exception {
        ObservedGateway scene = new ObservedGateway(folder);
        scene.gateway = scene.open();
        return scene;
    }

    private HttpServer upstream(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        return server;
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        boolean probe = exchange.getRequestMethod().equals("GET")
                && exchange.getRequestURI().getPath().startsWith("/probe/");
        if (exchange.getRequestURI().getPath().endsWith("/slow")) await(slow);
        if (losesAnswers && !probe) {
            exchange.close();
            return;
        }
        exchange.sendResponseHeaders(probe ? 404 : 201, 2);
        exchange.getResponseBody().write("ok".getBytes());
        exchange.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Gateway open() {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            upstream: { url: http://127.0.0.1:%d }
            routes:
              - match: POST /v1/charges
                key: required
              - match: POST /v1/refunds
                probe: { get: "/probe/{key}", found: 200, absent: 404, after: 10ms }
              - match: "* /**"
                key: optional
            """.formatted(upstream.getAddress().getPort());
        return switch (ConfigReader.read(yaml, "semel.yml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) ->
                Gateway.start(config, RocksKeyStore.open(folder, Durability.OS));
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    void restart() {
        gateway.close();
        gateway = open();
    }

    String upstreamAddress() {
        return "http://127.0.0.1:" + upstream.getAddress().getPort();
    }

    void endUpstream() {
        upstream.stop(0);
    }

    void restartUpstream() throws IOException {
        upstream = upstream(upstream.getAddress().getPort());
    }

    ExecutorService threads() {
        return threads;
    }

    Received.Response charge(String key) throws Exception {
        return send(RawRequest.charge("/v1/charges").key(key));
    }

    Received.Response send(RawRequest request) throws Exception {
        return exchange(gateway.port(), request);
    }

    Received.Response admin(RawRequest request) throws Exception {
        return exchange(gateway.adminPort(), request);
    }

    private static Received.Response exchange(int port, RawRequest request) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Received received = RawHttp.exchange(address, request, TIMEOUT);
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    /** An operation whose answer was lost. */
    void doubt(RawRequest request) throws Exception {
        losesAnswers = true;
        assertEquals(502, send(request).status());
        losesAnswers = false;
    }

    String metrics() throws Exception {
        Received.Response answer = admin(RawRequest.get("/metrics"));
        assertEquals(200, answer.status(), answer::text);
        return answer.text();
    }

    Scrape scrape() throws Exception {
        return Scrape.of(metrics());
    }

    Scrape awaitScrape(String what, Predicate<Scrape> condition) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        Scrape scrape = scrape();
        while (!condition.test(scrape)) {
            assertTrue(System.nanoTime() - deadline < 0, what + ", but: " + scrape.samples());
            scrape = scrape();
        }
        return scrape;
    }

    @Override
    public void close() {
        slow.countDown();
        gateway.close();
        upstream.stop(0);
        threads.shutdownNow();
    }
}
