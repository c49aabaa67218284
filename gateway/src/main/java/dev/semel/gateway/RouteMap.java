package dev.semel.gateway;

import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.RoutePolicy;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which route a request takes: the first of the configured ones that fits, else the default. One per event loop. */
final class RouteMap {
    private final List<Leg> legs = new ArrayList<>();
    private final Map<UpstreamSettings, UpstreamTarget> targets = new HashMap<>();

    RouteMap(Vertx vertx, UpstreamSettings upstream, List<RouteSettings> routes) {
        for (RouteSettings route : routes) {
            UpstreamSettings own = route.upstream() == null ? upstream : route.upstream();
            UpstreamTarget target = targets.computeIfAbsent(own, settings -> new UpstreamTarget(vertx, settings));
            legs.add(new Leg(route, target, new PassThrough(target)));
        }
    }

    private record Leg(RouteSettings route, UpstreamTarget target, PassThrough passThrough) {}

    /** A route, for one request. */
    record Found(String operation, RoutePolicy policy, UpstreamTarget target, PassThrough passThrough) {}

    Found find(String method, String path) {
        for (Leg leg : legs) {
            if (leg.route().pattern().matches(method, path))
                return new Found(
                        leg.route().pattern().operation(method, path),
                        leg.route().policy(),
                        leg.target(),
                        leg.passThrough());
        }
        throw new IllegalStateException("The last route matches everything.");
    }

    void close() {
        targets.values().forEach(UpstreamTarget::close);
    }
}
