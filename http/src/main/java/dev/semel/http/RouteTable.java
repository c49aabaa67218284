package dev.semel.http;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which route a request takes: the first that fits. A request that a server behind could read in another way, in which it
 * would take another route, takes none: it might slip past the route that guards it. Immutable, for use by any thread.
 *
 * @param <R> what whoever asks keeps with a route
 */
public final class RouteTable<R> {
    private final List<Route<R>> routes;

    /** Whether a plain path can be read in one way only. */
    private final boolean plainPatterns;

    /** @param routes in the order in which they are tried */
    public RouteTable(List<Route<R>> routes) {
        this.routes = List.copyOf(routes);
        this.plainPatterns = routes.stream().allMatch(route -> route.pattern().isPlain());
    }

    /** One route, and what is kept with it. */
    public record Route<R>(RoutePattern pattern, RoutePolicy policy, R target) {
        boolean guards() {
            return policy.key() != KeyMode.OFF || policy.order() != null;
        }
    }

    /** What became of the search. */
    public sealed interface Finding<R> {
        /** @param operation the operation whose keys the request uses */
        record Found<R>(Route<R> route, String operation) implements Finding<R> {}

        /** No route is for such requests. */
        record None<R>() implements Finding<R> {}

        /** Its method or path can be read in two ways that lead to different operations. */
        record Ambiguous<R>() implements Finding<R> {}
    }

    /** @param path as it stood on the request line, without the query */
    public Finding<R> find(String method, String path) {
        Route<R> taken = firstMatch(method, path);
        String plain = method.toUpperCase(Locale.ROOT);
        if (!plain.equals(method) && !isSame(taken, firstMatch(plain, path))) return new Finding.Ambiguous<>();
        if (PathText.isAmbiguous(path) && !isSame(taken, firstMatch(method, PathText.decoded(path))))
            return new Finding.Ambiguous<>();
        if (!isSame(taken, guarding(plain, path, taken))) return new Finding.Ambiguous<>();
        if (taken == null) return new Finding.None<>();
        return new Finding.Found<>(taken, taken.pattern().operation(method, path));
    }

    /** Whether a server behind that takes the method from elsewhere would take a route that guards more than this. */
    public boolean isEvadedBy(String meant, String method, String path) {
        RoutePolicy taken = policy(firstMatch(method, path));
        RoutePolicy evaded = policy(guarding(meant, path, firstMatch(meant, path)));
        return guards(meant, evaded) > guards(method, taken)
                || (evaded.order() != null && !evaded.equals(taken))
                || (evaded.claims().guarantee() == Guarantee.AT_MOST_ONCE
                        && taken.claims().guarantee() == Guarantee.AT_LEAST_ONCE);
    }

    /** What holds for a key that is seen to without a request; null when it is no request's. */
    public @Nullable ClaimPolicy policyOf(KeyId id) {
        String operation = id.operation();
        if (ServiceNames.isService(operation)) return null;
        int space = operation.indexOf(' ');
        if (space < 0 || !operation.startsWith("/", space + 1)) return null;
        String method = operation.substring(0, space);
        String path = operation.substring(space + 1);
        for (Route<R> route : routes)
            if (isOf(route.pattern(), operation, method, path))
                return route.policy().key() == KeyMode.OFF
                        ? null
                        : route.policy().claims();
        return null;
    }

    /** The operation of a route is its pattern, or, where the pattern covers many, the path itself. */
    private static boolean isOf(RoutePattern pattern, String operation, String method, String path) {
        return pattern.operation(method, path).equals(operation) && pattern.matches(method, PathText.segments(path));
    }

    private static RoutePolicy policy(@Nullable Route<?> route) {
        return route == null ? RoutePolicy.DEFAULT.withKey(KeyMode.OFF) : route.policy();
    }

    private static int guards(String method, RoutePolicy policy) {
        if (Guard.isSafe(method)) return 0;
        return switch (policy.key()) {
            case OFF -> 0;
            case OPTIONAL -> 1;
            case REQUIRED -> 2;
        };
    }

    /** The route that a request takes; or one that guards, if a lenient server would take the request for one of that. */
    private @Nullable Route<R> guarding(String method, String path, @Nullable Route<R> taken) {
        if (Guard.isSafe(method) || (plainPatterns && LenientPath.isPlain(path))) return taken;
        for (String[] reading : LenientPath.readings(path)) {
            Route<R> read = lenient(method, reading, taken);
            if (read != null && !isSame(read, taken) && read.guards()) return read;
        }
        return taken;
    }

    private @Nullable Route<R> lenient(String method, String[] reading, @Nullable Route<R> taken) {
        for (Route<R> route : routes) {
            if (isSame(route, taken) && route.pattern().isExact()) return taken;
            if (route.pattern().mayMatch(method, reading)) return route;
        }
        return taken;
    }

    /** Routes are told apart by their place in the list, not by what they say. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(@Nullable Route<?> one, @Nullable Route<?> other) {
        return one == other;
    }

    private @Nullable Route<R> firstMatch(String method, String path) {
        String[] segments = PathText.segments(path);
        for (Route<R> route : routes) if (route.pattern().matches(method, segments)) return route;
        return null;
    }
}
