package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves a JWKS, and does it as badly as a test wants. */
final class JwksServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger fetches = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile int status = 200;
    private volatile byte[] body;
    private volatile boolean stuck;

    private JwksServer(HttpServer server, String body) {
        this.server = server;
        this.body = body.getBytes(UTF_8);
    }

    static JwksServer serving(String body) throws IOException {
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        JwksServer jwks = new JwksServer(HttpServer.create(anywhere, 0), body);
        jwks.server.setExecutor(jwks.threads);
        jwks.server.createContext("/jwks", jwks::answer);
        jwks.server.createContext("/moved", jwks::redirect);
        jwks.server.start();
        return jwks;
    }

    private void answer(HttpExchange exchange) throws IOException {
        fetches.incrementAndGet();
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (stuck) {
                exchange.getResponseBody().write(body, 0, body.length / 2);
                exchange.getResponseBody().flush();
                awaitEnd();
            } else {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private void awaitEnd() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void redirect(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Location", "/jwks");
            exchange.sendResponseHeaders(302, -1);
        }
    }

    URI url() {
        return at("/jwks");
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    void serve(String body) {
        this.body = body.getBytes(UTF_8);
    }

    void status(int status) {
        this.status = status;
    }

    /** From now on half of the body is sent, and then nothing. */
    void stick() {
        stuck = true;
    }

    int fetches() {
        return fetches.get();
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
