package dev.semel.gateway;

import dev.semel.core.store.KeyStore;
import dev.semel.gateway.config.HostPort;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/** For those who run the gateway: {@code /healthz} (the process lives) and {@code /readyz} (it can take requests). */
final class AdminListener {
    private final Vertx vertx;
    private final KeyStore store;
    private final InFlight inFlight;
    private final HttpServer server;
    private volatile boolean stopping;

    AdminListener(Vertx vertx, KeyStore store, InFlight inFlight, HostPort listen) {
        this.vertx = vertx;
        this.store = store;
        this.inFlight = inFlight;
        this.server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost(listen.host())
                        .setPort(listen.port())
                        .setIdleTimeout(60))
                .requestHandler(this::handle);
    }

    HttpServer server() {
        return server;
    }

    /** From now on the gateway is not ready, so that whoever balances load looks elsewhere. */
    void stopping() {
        stopping = true;
    }

    private void handle(HttpServerRequest request) {
        switch (request.path()) {
            case "/healthz" -> end(request, 200, "ok\n");
            case "/readyz" -> readiness(request);
            default -> end(request, 404, "Known here: /healthz and /readyz\n");
        }
    }

    private void readiness(HttpServerRequest request) {
        if (stopping) {
            end(request, 503, "not ready: the gateway is stopping\n");
            return;
        }
        Context loop = vertx.getOrCreateContext();
        boolean taken = inFlight.run(() -> {
            String flaw = storeFlaw();
            loop.runOnContext(nothing ->
                    end(request, flaw.isEmpty() ? 200 : 503, flaw.isEmpty() ? "ready\n" : "not ready: " + flaw + "\n"));
        });
        if (!taken) end(request, 503, "not ready: the gateway is stopping\n");
    }

    private String storeFlaw() {
        try {
            store.now();
            return "";
        } catch (RuntimeException e) {
            return "the store does not answer (" + e.getMessage() + ")";
        }
    }

    private static void end(HttpServerRequest request, int status, String text) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "text/plain; charset=utf-8")
                .end(text);
    }
}
