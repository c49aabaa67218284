package dev.semel.gateway;

import dev.semel.gateway.config.ConnectionLimits;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.TlsSettings;
import dev.semel.gateway.wire.StrictConnections;
import dev.semel.http.Guard;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The API's listener on one event loop, with connections of its own to the upstreams. */
final class Door extends AbstractVerticle {
    private final RouteMap routes;
    private final HttpServer server;

    Door(
            Vertx vertx,
            GatewayConfig config,
            int port,
            List<RouteSettings> routes,
            Guard guard,
            OwnResources own,
            InFlight inFlight,
            TenantRule tenants,
            UpstreamTurns turns) {
        this.routes = new RouteMap(vertx, config.upstream(), routes, turns);
        Ingress ingress = new Ingress(
                vertx,
                guard,
                this.routes,
                own,
                inFlight,
                tenants,
                config.limits().bodyTime());
        this.server = vertx.createHttpServer(options(config, port))
                .connectionHandler(StrictConnections::require)
                .invalidRequestHandler(Refusals::answer)
                .requestHandler(ingress::handle);
    }

    private static HttpServerOptions options(GatewayConfig config, int port) {
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
        TlsSettings tls = config.tls();
        if (tls == null) return options;
        return options.setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(tls.certificate().toString())
                        .addKeyPath(tls.key().toString()));
    }

    @Override
    public void start(Promise<Void> started) {
        server.listen().<Void>mapEmpty().onComplete(started);
    }

    int port() {
        return server.actualPort();
    }

    Future<Void> shut(Duration patience) {
        return server.shutdown(patience);
    }

    void disconnect() {
        routes.close();
    }
}
