package dev.semel.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Looks like a gateway from outside: marks the answer to a used key as a replay. */
final class FakeGateway {
    private static final Set<String> USED = ConcurrentHashMap.newKeySet();

    private FakeGateway() {}

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        HttpServer server = HttpServer.create(address, 100);
        server.createContext("/", FakeGateway::answer);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            if (key != null && !USED.add(key)) exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
            exchange.sendResponseHeaders(200, -1);
        }
    }
}
