package dev.semel.gateway;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.KeyId;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.ProbeRule;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RouteTable;
import dev.semel.http.UpstreamProbe;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes of a gateway, each with the means to ask its upstream about doubts. */
final class Routes implements AutoCloseable {
    private final List<RouteSettings> all = new ArrayList<>();
    private final List<ProbeClient> probes = new ArrayList<>();
    private final RouteTable<RouteSettings> table;

    Routes(Vertx vertx, GatewayConfig config, BodyBudget bodies) {
        for (RouteSettings route : config.allRoutes()) {
            ProbeRule probe = route.policy().probe();
            UpstreamSettings upstream = route.upstream() == null ? config.upstream() : route.upstream();
            all.add(probe == null ? route : withProbe(vertx, route, probe, upstream, bodies));
        }
        table = new RouteTable<>(all.stream()
                .map(route -> new RouteTable.Route<>(route.pattern(), route.policy(), route))
                .toList());
    }

    private RouteSettings withProbe(
            Vertx vertx, RouteSettings route, ProbeRule probe, UpstreamSettings upstream, BodyBudget bodies) {
        RoutePolicy policy = route.policy();
        ProbeClient client = new ProbeClient(vertx, upstream, probe.timeout(), policy.responseLimit(), bodies);
        probes.add(client);
        ClaimPolicy claims = policy.claims().withProbe(UpstreamProbe.plan(probe, policy.headers(), client));
        return new RouteSettings(route.pattern(), policy.withClaims(claims), route.upstream());
    }

    List<RouteSettings> all() {
        return all;
    }

    /** What holds for a key that is seen to without a request; null when it is no request's. */
    @Nullable
    ClaimPolicy policyOf(KeyId id) {
        return table.policyOf(id);
    }

    @Override
    public void close() {
        probes.forEach(ProbeClient::close);
    }
}
