package dev.semel.gateway;

import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.gateway.metrics.RouteMeters;
import dev.semel.http.RoutePolicy;
import dev.semel.http.RouteTable;
import dev.semel.http.RouteTable.Finding;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which route a request takes, and by what way: the first of the configured ones that fits, else the default. One per event loop. */
final class RouteMap {
    private final RouteTable<Way> table;
    private final Map<UpstreamSettings, UpstreamTarget> targets = new HashMap<>();
    private final ReferenceCount references;

    /** @param ended is called when this is retired and its last request has ended */
    RouteMap(
            Vertx vertx,
            UpstreamSettings upstream,
            List<RouteSettings> routes,
            UpstreamAddresses addresses,
            GatewayMetrics metrics,
            Runnable ended) {
        this.references = new ReferenceCount(() -> {
            targets.values().forEach(UpstreamTarget::finish);
            ended.run();
        });
        List<RouteTable.Route<Way>> ways = new ArrayList<>();
        for (RouteSettings route : routes) {
            UpstreamSettings own = route.upstream() == null ? upstream : route.upstream();
            UpstreamTarget target = targets.computeIfAbsent(
                    own,
                    settings ->
                            new UpstreamTarget(vertx, settings, addresses.turnOf(settings), addresses::reachability));
            String name = route.pattern().toString();
            Way way = new Way(name, target, new PassThrough(vertx, target), metrics.route(name));
            ways.add(new RouteTable.Route<>(route.pattern(), route.policy(), way));
        }
        this.table = new RouteTable<>(ways);
    }

    private record Way(String name, UpstreamTarget target, PassThrough passThrough, RouteMeters meters) {}

    /**
     * A route, for one request.
     *
     * @param name as it stands in the configuration
     */
    record Match(
            String operation,
            String name,
            RoutePolicy policy,
            UpstreamTarget target,
            PassThrough passThrough,
            RouteMeters meters) {}

    /** Whether a server behind that takes the method from elsewhere would take a route that guards more than this. */
    boolean isEvadedBy(String meant, String method, String path) {
        return table.isEvadedBy(meant, method, path);
    }

    /** The route of a request; null when its method or path can be read in another way, which leads elsewhere. */
    @Nullable
    Match find(String method, String path) {
        return switch (table.find(method, path)) {
            case Finding.Found<Way>(RouteTable.Route<Way> route, String operation) -> {
                Way way = route.target();
                yield new Match(operation, way.name(), route.policy(), way.target(), way.passThrough(), way.meters());
            }
            case Finding.Ambiguous<Way> it -> null;
            case Finding.None<Way> it -> throw new IllegalStateException("The last route matches everything.");
        };
    }

    /** For a request that may need an upstream; it must {@linkplain ReferenceCount#release release} it when it no longer does. */
    ReferenceCount retain() {
        references.retain();
        return references;
    }

    /** No more requests take these routes. When the last that did has ended, the connections are closed. */
    void retire() {
        references.release();
    }

    void close() {
        targets.values().forEach(UpstreamTarget::close);
    }
}
