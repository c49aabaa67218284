package dev.semel.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * An API that charges whenever it is asked, and then answers as its script says; after that, with the charge, in the
 * form of Stripe's. On 127.0.0.1. Safe for use by any thread.
 */
final class ScriptedApi implements AutoCloseable {
    private final HttpServer server;
    private final Queue<Turn> script = new ConcurrentLinkedQueue<>();
    private final List<String> charges = new CopyOnWriteArrayList<>();

    /** What becomes of one answer. */
    interface Turn {
        void answer(HttpExchange exchange, int number) throws IOException;
    }

    /** The charge is made, and the connection breaks. */
    static final Turn LOST = (exchange, number) -> exchange.close();

    static final Turn CHARGED = (exchange, number) -> send(exchange, 200, charge(number));

    ScriptedApi() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::serve);
        server.start();
    }

    /** @param headers names and values in turn */
    static Turn refused(int status, String... headers) {
        return (exchange, number) -> {
            for (int i = 0; i < headers.length; i += 2)
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            send(exchange, status, "{\"error\":{\"type\":\"api_error\",\"message\":\"refused\"}}");
        };
    }

    /** The charge is made and answered when it is let go. */
    static Turn heldBack(Semaphore arrived, Semaphore letGo) {
        return (exchange, number) -> {
            arrived.release();
            letGo.acquireUninterruptibly();
            CHARGED.answer(exchange, number);
        };
    }

    ScriptedApi then(Turn... turns) {
        script.addAll(List.of(turns));
        return this;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    /** The keys of all charges, in their order. */
    List<String> charges() {
        return charges;
    }

    long chargesOf(String key) {
        return charges.stream().filter(key::equals).count();
    }

    private void serve(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        charges.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
        Turn turn = script.poll();
        (turn == null ? CHARGED : turn).answer(exchange, charges.size());
    }

    private static String charge(int number) {
        return "{\"id\":\"ch_" + number
                + "\",\"object\":\"charge\",\"amount\":1999,\"currency\":\"eur\",\"paid\":true}";
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length());
        exchange.getResponseBody().write(body.getBytes(UTF_8));
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
