package dev.semel.gateway;

import dev.semel.gateway.config.RouteSettings;
import dev.semel.http.KeyMode;
import java.util.List;
import java.util.stream.Stream;

/** The operations that routes have keys for, as far as they can be told without a request. */
final class KnownOperations {
    private static final List<String> UNSAFE_METHODS = List.of("POST", "PUT", "PATCH", "DELETE");

    private KnownOperations() {}

    static List<String> of(List<RouteSettings> routes) {
        return routes.stream()
                .filter(route -> route.policy().key() != KeyMode.OFF)
                .map(route -> route.pattern().toString())
                .filter(pattern -> !pattern.endsWith("/**"))
                .flatMap(KnownOperations::withMethod)
                .distinct()
                .toList();
    }

    private static Stream<String> withMethod(String pattern) {
        if (!pattern.startsWith("* ")) return Stream.of(pattern);
        return UNSAFE_METHODS.stream().map(method -> method + pattern.substring(1));
    }
}
