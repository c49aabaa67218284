package dev.semel.servlet;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.KeyId;
import dev.semel.http.MethodOverrides;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.RouteTable;
import dev.semel.http.RouteTable.Finding;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes by method and path, as the gateway has them. */
final class FixedRoutes implements ServletRoutes {
    private final List<PublishedPolicy.Route> published;
    private final RouteTable<String> table;

    FixedRoutes(List<PublishedPolicy.Route> routes) {
        this.published = List.copyOf(routes);
        this.table = new RouteTable<>(routes.stream()
                .map(it -> new RouteTable.Route<>(
                        it.pattern(), it.policy(), it.pattern().toString()))
                .toList());
    }

    @Override
    public @Nullable ServletRoute route(HttpServletRequest request) {
        return table.find(request.getMethod(), request.getRequestURI())
                        instanceof Finding.Found<String>(RouteTable.Route<String> route, String operation)
                ? new ServletRoute(route.target(), operation, route.policy())
                : null;
    }

    @Override
    public List<PublishedPolicy.Route> published() {
        return published;
    }

    @Override
    public @Nullable ClaimPolicy policyOf(KeyId id) {
        return table.policyOf(id);
    }

    @Override
    public @Nullable String evasion(HttpServletRequest request, Set<String> methods) {
        String method = request.getMethod();
        String path = request.getRequestURI();
        if (table.find(method, path) instanceof Finding.Ambiguous<String>)
            return "its method or path can be read in two ways that lead to different operations";
        if (methods.size() > MethodOverrides.MAX_METHODS)
            return "its headers, its query or its body name too many methods";
        for (String meant : methods)
            if (table.isEvadedBy(meant, method, path))
                return "a header, its query or its body names another method than its first line,"
                        + " and with that method it would take another route";
        return null;
    }
}
