package dev.semel.gateway;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.KeyId;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.KeyMode;
import dev.semel.http.PathText;
import dev.semel.http.ProbeRule;
import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import dev.semel.http.ServiceNames;
import dev.semel.http.UpstreamProbe;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes of a gateway, each with the means to ask its upstream about doubts. */
final class Routes implements AutoCloseable {
    private final List<RouteSettings> all = new ArrayList<>();
    private final List<ProbeClient> probes = new ArrayList<>();

    Routes(Vertx vertx, GatewayConfig config, BodyBudget bodies) {
        for (RouteSettings route : config.allRoutes()) {
            ProbeRule probe = route.policy().probe();
            UpstreamSettings upstream = route.upstream() == null ? config.upstream() : route.upstream();
            all.add(probe == null ? route : withProbe(vertx, route, probe, upstream, bodies));
        }
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
        String operation = id.operation();
        if (ServiceNames.isService(operation)) return null;
        int space = operation.indexOf(' ');
        if (space < 0 || !operation.startsWith("/", space + 1)) return null;
        String method = operation.substring(0, space);
        String path = operation.substring(space + 1);
        for (RouteSettings route : all) {
            if (isOf(route.pattern(), operation, method, path))
                return route.policy().key() == KeyMode.OFF
                        ? null
                        : route.policy().claims();
        }
        return null;
    }

    /** The operation of a route is its pattern, or, where the pattern covers many, the path itself. */
    private static boolean isOf(RoutePattern pattern, String operation, String method, String path) {
        return pattern.operation(method, path).equals(operation) && pattern.matches(method, PathText.segments(path));
    }

    @Override
    public void close() {
        probes.forEach(ProbeClient::close);
    }
}
