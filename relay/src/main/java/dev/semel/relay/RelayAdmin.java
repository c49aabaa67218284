package dev.semel.relay;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.relay.metrics.RelayMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * For those who run the relay: {@code /healthz} (the process lives), {@code /readyz} (its database answers) and {@code /metrics}.
 * It has numbers and nothing of any message, changes nothing, and is open to all who can connect.
 */
final class RelayAdmin implements AutoCloseable {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private RelayAdmin(HttpServer server) {
        this.server = server;
    }

    static RelayAdmin start(InetSocketAddress address, OutboxWatch watch, RelayMetrics metrics) throws IOException {
        RelayAdmin admin = new RelayAdmin(HttpServer.create(address, 0));
        admin.server.setExecutor(admin.threads);
        admin.server.createContext(
                "/", exchange -> answer(exchange, 404, TEXT, "There are /healthz, /readyz and /metrics.\n"));
        admin.server.createContext("/healthz", exchange -> answer(exchange, 200, TEXT, "ok\n"));
        admin.server.createContext("/readyz", exchange -> {
            String failure = watch.failure();
            if (failure == null) answer(exchange, 200, TEXT, "ok\n");
            else answer(exchange, 503, TEXT, "The database of the outbox does not answer.\n");
        });
        admin.server.createContext("/metrics", exchange -> answer(exchange, 200, PROMETHEUS, metrics.scrape()));
        admin.server.start();
        return admin;
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            boolean read = exchange.getRequestMethod().equals("GET")
                    || exchange.getRequestMethod().equals("HEAD");
            byte[] body = (read ? text : "Only GET.\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", read ? type : TEXT);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(read ? status : 405, head ? -1 : body.length);
            if (!head) exchange.getResponseBody().write(body);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
