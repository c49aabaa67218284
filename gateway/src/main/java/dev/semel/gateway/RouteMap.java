package dev.semel.gateway;

import dev.semel.core.key.Guarantee;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.gateway.metrics.RouteMeters;
import dev.semel.http.Guard;
import dev.semel.http.KeyMode;
import dev.semel.http.LenientPath;
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
    private final List<CompiledRoute> compiled = new ArrayList<>();
    private final Map<UpstreamSettings, UpstreamTarget> targets = new HashMap<>();
    private final ReferenceCount references;

    /** Whether a plain path can be read in one way only. */
    private final boolean plainPatterns;

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
        for (RouteSettings route : routes) {
            UpstreamSettings own = route.upstream() == null ? upstream : route.upstream();
            UpstreamTarget target = targets.computeIfAbsent(
                    own,
                    settings ->
                            new UpstreamTarget(vertx, settings, addresses.turnOf(settings), addresses::reachability));
            String name = route.pattern().toString();
            compiled.add(new CompiledRoute(route, name, target, new PassThrough(vertx, target), metrics.route(name)));
        }
        plainPatterns = routes.stream().allMatch(route -> route.pattern().isPlain());
    }

    private record CompiledRoute(
            RouteSettings settings, String name, UpstreamTarget target, PassThrough passThrough, RouteMeters meters) {
        boolean guards() {
            return settings.policy().key() != KeyMode.OFF || settings.policy().order() != null;
        }
    }

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
        RoutePolicy taken = firstMatch(method, path).settings().policy();
        RoutePolicy evaded =
                guarding(meant, path, firstMatch(meant, path)).settings().policy();
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
    Match find(String method, String path) {
        CompiledRoute taken = firstMatch(method, path);
        String plain = method.toUpperCase(Locale.ROOT);
        if (!plain.equals(method) && !taken.equals(firstMatch(plain, path))) return null;
        if (PathText.isAmbiguous(path) && !taken.equals(firstMatch(method, PathText.decoded(path)))) return null;
        if (!isSame(taken, guarding(plain, path, taken))) return null;
        return new Match(
                taken.settings().pattern().operation(method, path),
                taken.name(),
                taken.settings().policy(),
                taken.target(),
                taken.passThrough(),
                taken.meters());
    }

    /** The route that a request takes; or one that guards, if a lenient server would take the request for one of that. */
    private CompiledRoute guarding(String method, String path, CompiledRoute taken) {
        if (Guard.isSafe(method) || (plainPatterns && LenientPath.isPlain(path))) return taken;
        for (String[] reading : LenientPath.readings(path)) {
            CompiledRoute read = lenient(method, reading, taken);
            if (!isSame(read, taken) && read.guards()) return read;
        }
        return taken;
    }

    private CompiledRoute lenient(String method, String[] reading, CompiledRoute taken) {
        for (CompiledRoute route : compiled) {
            if (isSame(route, taken) && route.settings().pattern().isExact()) return taken;
            if (route.settings().pattern().mayMatch(method, reading)) return route;
        }
        return taken;
    }

    /** Routes are told apart by their place in the list, not by what they say. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(CompiledRoute one, CompiledRoute other) {
        return one == other;
    }

    private CompiledRoute firstMatch(String method, String path) {
        String[] segments = PathText.segments(path);
        for (CompiledRoute route : compiled) if (route.settings().pattern().matches(method, segments)) return route;
        throw new IllegalStateException("The last route matches everything.");
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
