package dev.semel.testkit.http;

import java.util.LinkedHashMap;
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
                route("POST /required/**", "key: required", "in-flight: wait 20s"),
                route("POST /exact/charges", "key: required"),
                route("POST /exact/gate", "key: required"),
                route("POST /exact/refuse-once", "key: required"),
                route("POST /named/charges/{id}", "key: required"),
                route("POST /sensitive/charges", "key: required", "exact-path: true"),
                route("POST /optional/**", "key: optional"),
                route("* /off/**", "key: off"),
                route("POST /reject/**", "key: required", "in-flight: reject"),
                route("POST /brief/**", "key: required", "in-flight: wait 200ms"),
                route("POST /again/**", "key: required", "in-flight: reject", "guarantee: at-least-once"),
                route(
                        "POST /picky/**",
                        "key: required",
                        "statuses: { store: [2xx, 402], release: [503], doubt: [502, 504] }"),
                route("POST /strict/**", "key: required", "statuses: strict"),
                route("POST /loose/**", "key: required", "fingerprint: { exclude: [/metadata/sentAt] }"),
                route("POST /small/**", "key: required", "limits: { request: 1KiB, response: 4KiB }"),
                route("POST /large/**", "key: required", "limits: { request: 16MiB, response: 16MiB }"),
                route("POST /hasty/**", "key: required", "upstream: { url: " + here + ", timeout: 1s }"),
                route("POST /hurried/**", "key: off", "upstream: { url: " + here + ", timeout: 1s }"),
                // A hundred duplicates try it one after the other, on stores and machines of any speed.
                route(
                        "POST /gone/**",
                        "key: required",
                        "in-flight: wait 25s",
                        "upstream: { url: " + downAtFirst + " }"),
                route("POST /probed/**", "key: required", probe("/any/probe/{key}", "")),
                route(
                        "POST /soon/**",
                        "key: required",
                        probe("/any/probe/{key}", "").replace("10s", "1s")),
                route("POST /unsure/**", "key: required", "in-flight: reject", probe("/any/probe-busy/{key}", "")),
                route(
                        "POST /listed/**",
                        "key: required",
                        probe("/any/probe-list?key={key}", ", outcome: /data/0, status: 201, absent: [404, empty]")),
                route("POST /referred/**", "key: required", probe("/any/probe/{header:X-Ref}", "")),
                route("PUT /ordered/**", "order: { version: \"header:If-Match\" }"),
                route("PUT /ordered-by-tenant/**", "order: { version: \"header:If-Match\", per: tenant }"),
                route("PATCH /versioned/**", "order: { version: \"body:/version\", keep: 30d }"),
                route("POST /from-header/**", "key: required", "key-from: header:X-Request-Id"),
                route("POST /natural/**", "key: required", "key-from: \"{header:X-Merchant}:{body:/invoice}\""),
                route("POST /uuid/**", "key: required", "key-syntax: uuid"),
                route("POST /form/**", "key: required", "key-syntax: { pattern: \"[a-z0-9-]+\", min: 16 }"),
                route("POST /aged/**", "key: required", "max-key-age: 7d"),
                route("POST /tls/**", "key: required", "upstream: { url: " + notTls + " }"));
    }

    /** Ten seconds on the clock of the subject, which scenarios move. */
    private static String probe(String path, String more) {
        String rest = more.contains("absent") ? "" : ", absent: 404";
        return "probe: { get: \"" + path + "\", found: 200, after: 10s" + rest + more + " }";
    }

    private static Route route(String match, String... settings) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (String setting : settings) {
            int colon = setting.indexOf(": ");
            byName.put(setting.substring(0, colon), setting.substring(colon + 2));
        }
        return new Route(match, byName);
    }
}
