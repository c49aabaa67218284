package dev.semel.testkit.http;

import java.util.List;
import java.util.Map;

/**
 * The routes that the scenarios count on. What a route does not name has its default; a request that none of them
 * matches is treated as without configuration.
 */
public final class ContractRoutes {
    /** Settings by the name they have in a configuration file. */
    public record Route(String match, Map<String, String> settings) {}

    private ContractRoutes() {}

    public static List<Route> of(ScriptedUpstream upstream) {
        String here = "http://127.0.0.1:" + upstream.port();
        String downAtFirst = "http://127.0.0.1:" + upstream.backDoorPort();
        String notTls = "https://127.0.0.1:" + upstream.port();
        return List.of(
                route("POST /required/**", Map.of("key", "required", "in-flight", "wait 20s")),
                route("POST /exact/charges", Map.of("key", "required")),
                route("POST /exact/gate", Map.of("key", "required")),
                route("POST /exact/refuse-once", Map.of("key", "required")),
                route("POST /named/charges/{id}", Map.of("key", "required")),
                route("POST /optional/**", Map.of("key", "optional")),
                route("* /off/**", Map.of("key", "off")),
                route("POST /reject/**", Map.of("key", "required", "in-flight", "reject")),
                route("POST /brief/**", Map.of("key", "required", "in-flight", "wait 200ms")),
                route("POST /again/**", Map.of("key", "required", "guarantee", "at-least-once", "in-flight", "reject")),
                route(
                        "POST /picky/**",
                        Map.of(
                                "key",
                                "required",
                                "statuses",
                                "{ store: [2xx, 402], release: [503], doubt: [502, 504] }")),
                route("POST /loose/**", Map.of("key", "required", "fingerprint", "{ exclude: [/metadata/sentAt] }")),
                route("POST /small/**", Map.of("key", "required", "limits", "{ request: 1KiB, response: 4KiB }")),
                route("POST /large/**", Map.of("key", "required", "limits", "{ request: 16MiB, response: 16MiB }")),
                route("POST /hasty/**", Map.of("key", "required", "upstream", "{ url: " + here + ", timeout: 1s }")),
                route("POST /gone/**", Map.of("key", "required", "upstream", "{ url: " + downAtFirst + " }")),
                route("POST /tls/**", Map.of("key", "required", "upstream", "{ url: " + notTls + " }")));
    }

    private static Route route(String match, Map<String, String> settings) {
        return new Route(match, settings);
    }
}
