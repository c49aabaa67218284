package dev.semel.store.dynamodb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The way to a server: it counts every request that is sent, and does to the next ones what it was told. */
final class Wire implements AutoCloseable {
    /** What happens to a request. */
    sealed interface Fault {
        /** Nothing. */
        record None() implements Fault {}

        /** It never arrives, and its connection is cut. */
        record LoseRequest() implements Fault {}

        /** It arrives and is done; then its connection is cut. */
        record LoseAnswer() implements Fault {}

        /** It is refused with this error before it arrives. */
        record Refuse(int status, String code, String message) implements Fault {}

        /** It waits until the wire is closed. */
        record Keep() implements Fault {}
    }

    private static final String TARGET = "X-Amz-Target";

    private final URI server;
    private final HttpServer near;
    private final HttpClient far = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedQueue<Fault> faults = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch keeping = new CountDownLatch(1);

    private Wire(URI server) throws IOException {
        this.server = server;
        this.near = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        near.createContext("/", this::carry);
        near.setExecutor(threads);
        near.start();
    }

    static Wire to(URI server) throws IOException {
        return new Wire(server);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + near.getAddress().getPort());
    }

    /** For the next requests, one fault each. */
    void next(Fault... each) {
        faults.addAll(List.of(each));
    }

    /** What was sent since the last time, in its order. */
    List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (String one = seen.poll(); one != null; one = seen.poll()) sent.add(one);
        return sent;
    }

    /** Until a request is kept. */
    void awaitKept() throws InterruptedException {
        if (!keeping.await(1, TimeUnit.MINUTES)) throw new IllegalStateException("Nothing was sent.");
    }

    private void carry(HttpExchange exchange) throws IOException {
        try (exchange) {
            String target = exchange.getRequestHeaders().getFirst(TARGET);
            seen.add(target.substring(target.indexOf('.') + 1));
            byte[] body = exchange.getRequestBody().readAllBytes();
            Fault fault = faults.poll();
            switch (fault) {
                case null -> answer(exchange, forward(exchange, body));
                case Fault.None it -> answer(exchange, forward(exchange, body));
                case Fault.LoseRequest it -> {}
                case Fault.LoseAnswer it -> forward(exchange, body);
                case Fault.Refuse it -> refuse(exchange, it);
                case Fault.Keep it -> {
                    keeping.countDown();
                    closing.await();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (String name : List.of(TARGET, "Content-Type", "Authorization", "X-Amz-Date"))
            request.header(name, exchange.getRequestHeaders().getFirst(name));
        return far.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static void answer(HttpExchange exchange, HttpResponse<byte[]> answer) throws IOException {
        answer.headers().map().forEach((name, values) -> {
            if (name.toLowerCase(Locale.ROOT).startsWith("x-amz"))
                exchange.getResponseHeaders().put(name, values);
        });
        send(exchange, answer.statusCode(), answer.body());
    }

    private static void refuse(HttpExchange exchange, Fault.Refuse error) throws IOException {
        String body = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + error.code() + "\",\"message\":\""
                + error.message() + "\"}";
        send(exchange, error.status(), body.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        closing.countDown();
        near.stop(0);
        threads.close();
        far.close();
    }
}
