package dev.semel.broker.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A real HTTP server that keeps what it gets, and answers as it is told. */
final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Reply> answers = request -> Reply.of(200);

    /** @param headers by their names in lower case */
    record Request(String method, String path, Map<String, String> headers, byte[] body) {
        String id() {
            return headers.getOrDefault("webhook-id", "none");
        }

        String text() {
            return new String(body, UTF_8);
        }
    }

    record Reply(int status, Map<String, String> headers, String body) {
        static Reply of(int status) {
            return new Reply(status, Map.of(), "");
        }

        static Reply of(int status, String header, String value) {
            return new Reply(status, Map.of(header, value), "");
        }
    }

    private Receiver(HttpServer server) {
        this.server = server;
    }

    static Receiver start() throws IOException {
        Receiver receiver = new Receiver(HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50));
        receiver.server.setExecutor(receiver.threads);
        receiver.server.createContext("/", receiver::handle);
        receiver.server.start();
        return receiver;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> headers = new TreeMap<>();
            exchange.getRequestHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    headers,
                    exchange.getRequestBody().readAllBytes());
            requests.add(request);
            Reply reply = answers.apply(request);
            reply.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
            byte[] body = reply.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) exchange.getResponseBody().write(body);
        }
    }

    void answer(Function<Request, Reply> answers) {
        this.answers = answers;
    }

    void answer(int status) {
        answer(request -> Reply.of(status));
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    List<Request> requests(String path) {
        return requests.stream().filter(it -> it.path().equals(path)).toList();
    }

    /** So many at least: they are waited for. */
    List<Request> await(int count) throws InterruptedException {
        while (requests.size() < count) Scene.pause();
        return requests();
    }

    List<Request> await(String path, int count) throws InterruptedException {
        while (requests(path).size() < count) Scene.pause();
        return requests(path);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
