package dev.semel.gateway.config;

import dev.semel.http.KeyMode;
import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a gateway is started with.
 *
 * @param store the URL of the key store
 * @param tls the gateway's own certificate; null to serve in the clear
 */
public record GatewayConfig(
        HostPort listen,
        HostPort admin,
        String store,
        @Nullable TlsSettings tls,
        UpstreamSettings upstream,
        List<RouteSettings> routes,
        ConnectionLimits limits) {
    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 8080);
    public static final HostPort DEFAULT_ADMIN = new HostPort("127.0.0.1", 8081);
    public static final String DEFAULT_STORE = "rocksdb:./semel-data";

    public static GatewayConfig of(UpstreamSettings upstream) {
        return new GatewayConfig(
                DEFAULT_LISTEN, DEFAULT_ADMIN, DEFAULT_STORE, null, upstream, List.of(), ConnectionLimits.DEFAULT);
    }

    /** The configured routes, then what holds for requests that none of them matches. */
    public List<RouteSettings> allRoutes() {
        List<RouteSettings> all = new ArrayList<>(routes);
        all.add(route("POST /**", KeyMode.OPTIONAL));
        all.add(route("PATCH /**", KeyMode.OPTIONAL));
        all.add(route("* /**", KeyMode.OFF));
        return all;
    }

    private static RouteSettings route(String match, KeyMode key) {
        return new RouteSettings(RoutePattern.parse(match), RoutePolicy.DEFAULT.withKey(key), null);
    }

    public GatewayConfig withListen(HostPort listen) {
        return new GatewayConfig(listen, admin, store, tls, upstream, routes, limits);
    }

    public GatewayConfig withAdmin(HostPort admin) {
        return new GatewayConfig(listen, admin, store, tls, upstream, routes, limits);
    }

    public GatewayConfig withStore(String store) {
        return new GatewayConfig(listen, admin, store, tls, upstream, routes, limits);
    }

    public GatewayConfig withUpstream(UpstreamSettings upstream) {
        return new GatewayConfig(listen, admin, store, tls, upstream, routes, limits);
    }
}
