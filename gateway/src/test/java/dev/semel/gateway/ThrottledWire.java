package dev.semel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The way to DynamoDB Local, which throttles nobody: when told so, this says in its place what DynamoDB says then. */
final class ThrottledWire implements AutoCloseable {
    private static final byte[] THROTTLED = """
        {"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
         "message":"The level of configured provisioned throughput for the table was exceeded."}\
        """.getBytes(UTF_8);

    private final URI server;
    private final HttpServer near;
    private final HttpClient far = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean throttled;

    private ThrottledWire(URI server) throws IOException {
        this.server = server;
        this.near = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        near.createContext("/", this::carry);
        near.setExecutor(threads);
        near.start();
    }

    static ThrottledWire to(URI server) throws IOException {
        return new ThrottledWire(server);
    }

    String url(String url) {
        return url.replace(
                server.toString(), "http://127.0.0.1:" + near.getAddress().getPort());
    }

    void throttle(boolean throttled) {
        this.throttled = throttled;
    }

    private void carry(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (throttled) {
                send(exchange, 400, THROTTLED);
                return;
            }
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(server).POST(HttpRequest.BodyPublishers.ofByteArray(body));
            for (String name : List.of("X-Amz-Target", "Content-Type", "Authorization", "X-Amz-Date"))
                request.header(name, exchange.getRequestHeaders().getFirst(name));
            HttpResponse<byte[]> answer = far.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            answer.headers().map().forEach((name, values) -> {
                if (name.toLowerCase(Locale.ROOT).startsWith("x-amz"))
                    exchange.getResponseHeaders().put(name, values);
            });
            send(exchange, answer.statusCode(), answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        near.stop(0);
        threads.close();
        far.close();
    }
}
