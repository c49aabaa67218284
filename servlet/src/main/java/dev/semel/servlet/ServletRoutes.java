package dev.semel.servlet;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.KeyId;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which requests are guarded, and how. Safe for use by any thread. */
public interface ServletRoutes {

    /** The route of a request; null when it is to pass through untouched. */
    @Nullable
    ServletRoute route(HttpServletRequest request);

    /** What is published at {@code /.well-known/idempotency}, in the order in which routes are tried. */
    default List<PublishedPolicy.Route> published() {
        return List.of();
    }

    /**
     * What holds for a key that is seen to without a request, in the background; null for keys to leave alone. To be given
     * to the engine, {@code Semel.on(store).policies(routes::policyOf)}, where doubts are probed.
     */
    default @Nullable ClaimPolicy policyOf(KeyId id) {
        return null;
    }

    /**
     * Why a request must be refused because it can be read in two ways, of which one leads past the route that guards it;
     * null when it need not. Asked before {@link #route}.
     *
     * @param methods what the head or the body of the request names as its method besides its first line
     */
    default @Nullable String evasion(HttpServletRequest request, Set<String> methods) {
        return null;
    }

    /** One route of {@link #of(PublishedPolicy.Route...)}: {@code route("POST /v1/charges", policy)}. */
    static PublishedPolicy.Route route(String match, RoutePolicy policy) {
        return new PublishedPolicy.Route(RoutePattern.parse(match), policy);
    }

    /** As {@link #of(List)}. */
    static ServletRoutes of(PublishedPolicy.Route... routes) {
        return of(List.of(routes));
    }

    /** Fixed patterns; the first that fits is taken, and a request that none fits passes. Paths include the context path. */
    static ServletRoutes of(List<PublishedPolicy.Route> routes) {
        return new FixedRoutes(routes);
    }
}
