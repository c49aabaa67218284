package dev.semel.gateway;

import dev.semel.core.key.Guarantee;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.Guard;
import dev.semel.http.PathText;
import dev.semel.http.RoutePolicy;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which route a request takes: the first of the configured ones that fits, else the default. One per event loop. */
final class RouteMap {
    private final List<Leg> legs = new ArrayList<>();
    private final Map<UpstreamSettings, UpstreamTarget> targets = new HashMap<>();

    RouteMap(Vertx vertx, UpstreamSettings upstream, List<RouteSettings> routes, UpstreamTurns turns) {
        for (RouteSettings route : routes) {
            UpstreamSettings own = route.upstream() == null ? upstream : route.upstream();
            UpstreamTarget target =
                    targets.computeIfAbsent(own, settings -> new UpstreamTarget(vertx, settings, turns.of(settings)));
            legs.add(new Leg(route, route.pattern().toString(), target, new PassThrough(vertx, target)));
        }
    }

    private record Leg(RouteSettings route, String name, UpstreamTarget target, PassThrough passThrough) {}

    /**
     * A route, for one request.
     *
     * @param name as it stands in the configuration
     */
    record Found(String operation, String name, RoutePolicy policy, UpstreamTarget target, PassThrough passThrough) {}

    /** Whether a server behind that takes the method from a header would take a route that guards more than this. */
    boolean isEvadedBy(@Nullable String override, String method, String path) {
        if (override == null) return false;
        String meant = override.strip().toUpperCase(Locale.ROOT);
        RoutePolicy taken = leg(method, path).route().policy();
        RoutePolicy evaded = leg(meant, path).route().policy();
        return guards(meant, evaded) > guards(method, taken)
                || (evaded.order() != null && !evaded.equals(taken))
                || (evaded.claims().guarantee() == Guarantee.AT_MOST_ONCE
                        && taken.claims().guarantee() == Guarantee.AT_LEAST_ONCE);
    }

    private static int guards(String method, RoutePolicy policy) {
        if (Guard.isSafe(method)) return 0;
        return switch (policy.key()) {
            case OFF -> 0;
            case OPTIONAL -> 1;
            case REQUIRED -> 2;
        };
    }

    /**
     * The route of a request; null when a server behind could read the method or path in another way, in which it would take
     * another route: such a request might slip past the route that guards it.
     */
    @Nullable
    Found find(String method, String path) {
        Leg leg = leg(method, path);
        String plain = method.toUpperCase(Locale.ROOT);
        if (!plain.equals(method) && !leg.equals(leg(plain, path))) return null;
        if (PathText.isAmbiguous(path) && !leg.equals(leg(method, PathText.decoded(path)))) return null;
        return new Found(
                leg.route().pattern().operation(method, path),
                leg.name(),
                leg.route().policy(),
                leg.target(),
                leg.passThrough());
    }

    private Leg leg(String method, String path) {
        String[] segments = PathText.segments(path);
        for (Leg leg : legs) if (leg.route().pattern().matches(method, segments)) return leg;
        throw new IllegalStateException("The last route matches everything.");
    }

    void close() {
        targets.values().forEach(UpstreamTarget::close);
    }
}
