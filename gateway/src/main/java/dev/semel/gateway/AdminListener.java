package dev.semel.gateway;

import dev.semel.admin.AdminAccess;
import dev.semel.admin.AdminApi;
import dev.semel.admin.AdminProblem;
import dev.semel.gateway.config.AdminSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.gateway.wire.ClosingConnections;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For those who run the gateway: {@code /healthz} (the process lives), {@code /readyz} (it can take requests) and
 * {@code /metrics} (numbers, nothing of any client), open to all who can connect, and the admin API.
 */
final class AdminListener {
    private static final Logger LOG = LoggerFactory.getLogger(AdminListener.class);

    /** Room for a response of four mebibytes in base64, and more. */
    private static final Duration BODY_TIME = Duration.ofSeconds(30);

    private static final long LARGEST_BODY = 8 << 20;

    private final Vertx vertx;
    private final StoreHealth store;
    private final AdminApi api;
    private final AdminAccess access;
    private final InFlight inFlight;
    private final Delivery delivery;
    private final GatewayMetrics metrics;
    private final HttpServer server;
    private volatile boolean stopping;

    AdminListener(
            Vertx vertx,
            StoreHealth store,
            AdminApi api,
            InFlight inFlight,
            Delivery delivery,
            GatewayMetrics metrics,
            AdminSettings settings) {
        this.vertx = vertx;
        this.store = store;
        this.api = api;
        this.access = new AdminAccess(settings.token(), settings.isLocal());
        this.inFlight = inFlight;
        this.delivery = delivery;
        this.metrics = metrics;
        this.server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost(settings.listen().host())
                        .setPort(settings.listen().port())
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
        if (ClosingConnections.contains(request.connection())) return;
        String path = String.valueOf(request.path());
        switch (path) {
            case "/healthz" -> end(request, 200, "ok\n");
            case "/readyz" -> readiness(request);
            case "/metrics" -> metrics(request);
            default -> {
                if (path.startsWith(AdminApi.PREFIX)) admit(request, path);
                else
                    end(request, 404, "Known here: /healthz, /readyz, /metrics, /admin/v1/status and /admin/v1/keys\n");
            }
        }
    }

    /** Nothing of a body is taken from someone who may not send one. */
    private void admit(HttpServerRequest request, String path) {
        Headers headers = VertxHeaders.read(request.headers());
        String flaw = RequestChecks.flawOf(request);
        HttpResponse refusal =
                flaw == null ? access.refusal(headers, authority(request)) : AdminProblem.badRequest(flaw);
        if (refusal != null) {
            Responses.endAndClose(request, refusal);
            return;
        }
        Context loop = vertx.getOrCreateContext();
        BodyShare share = delivery.share();
        new BodyReader(vertx, request, share, LARGEST_BODY, BODY_TIME)
                .read(
                        body -> {
                            HttpRequest whole = whole(request, path, headers, body);
                            boolean taken = inFlight.runOffLoop(() -> {
                                HttpResponse answer = Delivery.fitting(answer(whole), share);
                                loop.runOnContext(nothing -> delivery.deliver(request, answer, share));
                            });
                            if (!taken) refuse(request, share);
                        },
                        flawed -> Responses.endAndClose(request, flawed));
    }

    private static void refuse(HttpServerRequest request, BodyShare share) {
        share.release();
        Responses.endAndClose(request, AdminProblem.stopping());
    }

    private static @Nullable String authority(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return authority == null ? null : authority.toString();
    }

    private static HttpRequest whole(HttpServerRequest request, String path, Headers headers, byte[] body) {
        String query = request.query();
        return new HttpRequest(
                request.method().name(), path, query == null || query.isEmpty() ? null : query, headers, body);
    }

    private HttpResponse answer(HttpRequest request) {
        try {
            return api.answer(request);
        } catch (RuntimeException e) {
            LOG.error("The admin API failed", e);
            return AdminProblem.internalError();
        }
    }

    private void readiness(HttpServerRequest request) {
        if (stopping) {
            end(request, 503, "not ready: the gateway is stopping\n");
            return;
        }
        Context loop = vertx.getOrCreateContext();
        boolean taken = inFlight.runOffLoop(() -> {
            String flaw = store.flaw();
            loop.runOnContext(nothing ->
                    end(request, flaw.isEmpty() ? 200 : 503, flaw.isEmpty() ? "ready\n" : "not ready: " + flaw + "\n"));
        });
        if (!taken) end(request, 503, "not ready: the gateway is stopping\n");
    }

    /** Not on an event loop: there may be thousands of lines. */
    private void metrics(HttpServerRequest request) {
        if (!request.method().name().equals("GET")) {
            request.response().setStatusCode(405).putHeader("Allow", "GET").end();
            return;
        }
        Context loop = vertx.getOrCreateContext();
        boolean taken = inFlight.runOffLoop(() -> {
            String text = metrics.scrape();
            loop.runOnContext(nothing -> request.response()
                    .putHeader("Content-Type", GatewayMetrics.CONTENT_TYPE)
                    .end(text));
        });
        if (!taken) end(request, 503, "the gateway is stopping\n");
    }

    private static void end(HttpServerRequest request, int status, String text) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "text/plain; charset=utf-8")
                .end(text);
    }
}
