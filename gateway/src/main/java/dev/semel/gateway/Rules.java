package dev.semel.gateway;

import dev.semel.core.Semel;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.ServiceExposure;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.http.KeyStatus;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.service.OwnResources;
import dev.semel.http.service.ServiceAccess;
import dev.semel.http.service.ServiceApi;
import dev.semel.http.tenant.TenantRule;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that a request is handled by and that a reload replaces. A request keeps to the rules it began with, so these are
 * closed only when the last of their requests has ended.
 */
final class Rules {
    private static final Logger LOG = LoggerFactory.getLogger(Rules.class);

    private final GatewayConfig config;
    private final @Nullable PemKeyCertOptions certificate;
    private final Routes routes;
    private final TenantRule tenants;
    private final OwnAnswers own;
    private final UpstreamAddresses addresses;
    private final GatewayMetrics metrics;
    private final ReferenceCount references;

    /** @throws RuntimeException when a file cannot be used, or the store is needed and does not answer */
    Rules(
            Vertx vertx,
            GatewayConfig config,
            Semel semel,
            InFlight inFlight,
            Delivery delivery,
            UpstreamAddresses addresses,
            GatewayMetrics metrics) {
        this.config = config;
        this.addresses = addresses;
        this.metrics = metrics;
        this.certificate = config.tls() == null ? null : Certificates.own(vertx, config.tls());
        Certificates.checkTrust(vertx, config);
        this.tenants = Tenants.of(config.tenant(), semel);
        this.routes = new Routes(vertx, config, delivery.bodies());
        this.references = new ReferenceCount(routes::close);
        PublishedPolicy published = new PublishedPolicy(routes.all().stream()
                .map(route -> new PublishedPolicy.Route(route.pattern(), route.policy()))
                .toList());
        OwnResources resources =
                new OwnResources(published, new KeyStatus(semel), new ServiceApi(semel), serviceAccess(config));
        this.own = new OwnAnswers(
                vertx, resources, inFlight, tenants, delivery, config.limits().bodyTime());
    }

    private static ServiceAccess serviceAccess(GatewayConfig config) {
        ServiceExposure exposure = ServiceExposure.of(config);
        LOG.info("{}", exposure.explained());
        if (exposure instanceof ServiceExposure.NotServed it) return ServiceAccess.closed(it.why());
        String token = config.service().token();
        return token == null ? ServiceAccess.open() : ServiceAccess.with(token);
    }

    GatewayConfig config() {
        return config;
    }

    /** Checked: the key belongs to the certificate. Null to serve in the clear. */
    @Nullable
    PemKeyCertOptions certificate() {
        return certificate;
    }

    Routes routes() {
        return routes;
    }

    TenantRule tenants() {
        return tenants;
    }

    OwnAnswers own() {
        return own;
    }

    /** A new list of ways to the upstreams, for one event loop. */
    RouteMap routeMap(Vertx vertx) {
        references.retain();
        return new RouteMap(vertx, config.upstream(), routes.all(), addresses, metrics, references::release);
    }

    /** Whoever comes from now on has other rules. */
    void retire() {
        references.release();
    }

    void close() {
        routes.close();
    }
}
