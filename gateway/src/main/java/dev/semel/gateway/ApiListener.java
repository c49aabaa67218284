package dev.semel.gateway;

import dev.semel.gateway.config.ConnectionLimits;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.gateway.wire.StrictConnections;
import dev.semel.http.Guard;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The API's listener on one event loop, with connections of its own to the upstreams. */
final class ApiListener extends AbstractVerticle {
    private final Guard guard;
    private final InFlight inFlight;
    private final Delivery delivery;
    private final Webhooks webhooks;
    private final GatewayMetrics metrics;
    private final HttpServerOptions options;
    private final HttpServer server;
    private volatile RouteMap routes;
    private volatile Ingress ingress;

    ApiListener(
            Vertx vertx,
            Rules rules,
            int port,
            Guard guard,
            InFlight inFlight,
            Delivery delivery,
            Webhooks webhooks,
            GatewayMetrics metrics) {
        this.guard = guard;
        this.inFlight = inFlight;
        this.delivery = delivery;
        this.webhooks = webhooks;
        this.metrics = metrics;
        this.routes = rules.routeMap(vertx);
        this.ingress = ingress(vertx, rules, routes);
        this.options = options(rules, port);
        this.server = vertx.createHttpServer(options)
                .connectionHandler(StrictConnections::require)
                .invalidRequestHandler(refused -> Refusals.answer(refused, metrics.noRoute()))
                .requestHandler(request -> ingress.handle(request));
    }

    private Ingress ingress(Vertx vertx, Rules rules, RouteMap map) {
        return new Ingress(
                vertx,
                guard,
                map,
                rules.own(),
                new WebhookIngress(
                        vertx,
                        webhooks,
                        inFlight,
                        delivery,
                        rules.config().limits().bodyTime()),
                inFlight,
                rules.tenants(),
                delivery,
                metrics,
                rules.config().limits().bodyTime());
    }

    /** Requests that come from now on have these rules; those that are here keep theirs. */
    Future<Void> use(Rules rules) {
        return onLoop(() -> {
            RouteMap before = routes;
            RouteMap after = rules.routeMap(vertx);
            ingress = ingress(vertx, rules, after);
            routes = after;
            before.retire();
        });
    }

    /** On the event loop no request is half-way between finding its route and entering it. */
    private Future<Void> onLoop(Runnable change) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(nothing -> {
            try {
                change.run();
                done.complete();
            } catch (RuntimeException e) {
                done.fail(e);
            }
        });
        return done.future();
    }

    /** New connections get this certificate. */
    Future<?> useCertificate(PemKeyCertOptions certificate) {
        ServerSSLOptions tls = Objects.requireNonNull(options.getSslOptions()).copy();
        // A server of HTTP offers these by itself when it starts, but not here.
        return server.updateSSLOptions(
                tls.setKeyCertOptions(certificate).setApplicationLayerProtocols(List.of("h2", "http/1.1")));
    }

    private static HttpServerOptions options(Rules rules, int port) {
        GatewayConfig config = rules.config();
        ConnectionLimits limits = config.limits();
        HttpServerOptions options = new HttpServerOptions()
                .setHost(config.listen().host())
                .setPort(port)
                .setMaxInitialLineLength(limits.requestLine())
                .setMaxHeaderSize(limits.head())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) limits.idle().toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                .setSslHandshakeTimeout(limits.headTime().toMillis())
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(limits.streams())
                        .setMaxHeaderListSize(limits.head()))
                .setHandle100ContinueAutomatically(false)
                .setCompressionSupported(false)
                .setDecompressionSupported(false);
        PemKeyCertOptions certificate = rules.certificate();
        return certificate == null
                ? options
                : options.setSsl(true).setUseAlpn(true).setKeyCertOptions(certificate);
    }

    @Override
    public void start(Promise<Void> started) {
        server.listen().<Void>mapEmpty().onComplete(started);
    }

    Future<Void> shutDown(Duration patience) {
        return server.shutdown(patience);
    }

    void closeUpstreams() {
        routes.close();
    }
}
