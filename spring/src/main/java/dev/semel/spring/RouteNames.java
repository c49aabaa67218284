package dev.semel.spring;

import dev.semel.http.RoutePattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Patterns of Spring MVC in the words of routes. */
final class RouteNames {
    private RouteNames() {}

    /** Such as {@code POST /accounts/{id}}. */
    static String of(String method, String pattern) {
        String path = pattern.startsWith("/") ? pattern : "/" + pattern;
        return method + " " + path;
    }

    /** For show: what a route cannot say is told more broadly. */
    static RoutePattern pattern(String route) {
        int space = route.indexOf(' ');
        String path = route.substring(space + 1);
        String broad = Stream.of(path.split("/", -1)).map(RouteNames::segment).collect(Collectors.joining("/"));
        int rest = broad.indexOf("/**");
        String told = rest < 0 ? broad : broad.substring(0, rest) + "/**";
        return RoutePattern.parse(route.substring(0, space + 1) + told.replaceAll("/{2,}", "/"));
    }

    private static String segment(String segment) {
        if (segment.equals("**") || segment.startsWith("{*")) return "**";
        if (segment.matches("\\{[A-Za-z0-9_-]+}")) return segment;
        if (segment.matches("\\{[A-Za-z0-9_-]+:.*}")) return segment.substring(0, segment.indexOf(':')) + "}";
        boolean plain = segment.chars().allMatch(c -> c > ' ' && c < 0x7f) && !segment.matches(".*[*{}?#%\\\\].*");
        return plain ? segment : "{any}";
    }
}
