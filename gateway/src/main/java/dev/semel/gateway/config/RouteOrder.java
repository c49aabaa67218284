package dev.semel.gateway.config;

import dev.semel.http.PublishedPolicy;
import dev.semel.http.RoutePattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether requests can reach a route. The first route that matches counts, and some paths the gateway answers itself, so
 * what a route that comes too late promises would never hold.
 */
final class RouteOrder {
    private static final String OWN_PATHS = "/.semel/";

    private final List<EarlierRoute> earlier = new ArrayList<>();

    private record EarlierRoute(RoutePattern pattern, int line) {}

    /** Takes the next route of the file. @return why no request can reach it; null when some can */
    @Nullable
    String add(RoutePattern pattern, int line) {
        String hidden = hidden(pattern);
        earlier.add(new EarlierRoute(pattern, line));
        return hidden;
    }

    private @Nullable String hidden(RoutePattern pattern) {
        String path = pattern.toString().substring(pattern.toString().indexOf(' ') + 1);
        if (path.startsWith(OWN_PATHS) || path.equals(PublishedPolicy.PATH))
            return "the gateway answers '" + path + "' itself, so no request can reach this route; remove it";
        for (EarlierRoute other : earlier) {
            if (!other.pattern().covers(pattern)) continue;
            return other.pattern().covers(pattern) && pattern.covers(other.pattern())
                    ? "'" + pattern + "' stands a second time: the route on line " + other.line()
                            + " takes all its requests. Remove one of the two"
                    : "no request can reach '" + pattern + "': the route '" + other.pattern() + "' on line "
                            + other.line() + " takes all of them first. Move this one above it, or remove it";
        }
        return null;
    }
}
