package dev.semel.examples.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.examples.payments.Charge;
import dev.semel.examples.payments.Ledger;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Something in front of the ledger that answers every key with success, and charges once a key or never. */
final class StandIn implements DemoGateway, AutoCloseable {
    private interface Effect {
        void charge(String key) throws IOException;
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final AtomicInteger kills = new AtomicInteger();
    private final HttpServer server;
    private final Effect effect;

    private StandIn(Effect effect) throws IOException {
        this.effect = effect;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static StandIn thatRemembers(Ledger ledger) throws IOException {
        return new StandIn(key -> ledger.append(new Charge("ch_" + key, 1, "eur", "c", key, Instant.EPOCH)));
    }

    static StandIn thatChargesNothing() throws IOException {
        return new StandIn(key -> {});
    }

    @Override
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public URI adminUrl() {
        return url();
    }

    @Override
    public boolean isUp() {
        return true;
    }

    /** Back before anybody noticed. */
    @Override
    public void kill() {
        kills.incrementAndGet();
    }

    int kills() {
        return kills.get();
    }

    @Override
    public Doubts doubts() {
        return Doubts.NONE;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            if (used.add(key)) effect.charge(key);
            else exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            exchange.sendResponseHeaders(201, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        threads.close();
    }
}
