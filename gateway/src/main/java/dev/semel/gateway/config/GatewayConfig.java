package dev.semel.gateway.config;

import dev.semel.http.KeyMode;
import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import dev.semel.seal.SealKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a gateway is started with.
 *
 * @param store the URL of the key store
 * @param storeBefore the URL of the store that was used before, while keys move from it; null when there is none
 * @param tls the gateway's own certificate; null to serve in the clear
 * @param tenant how requests show whose they are; null for one tenant only
 * @param service what the file says about the service API; see {@link ServiceExposure}
 * @param encryption what outcomes are sealed with; null to keep them as they are
 * @param webhooks what is verified and stored here, and delivered to the upstream
 * @param acceptLostKeys whether the store may lose keys, so that operations may run twice, whatever routes promise
 */
public record GatewayConfig(
        HostPort listen,
        AdminSettings admin,
        String store,
        @Nullable String storeBefore,
        @Nullable TlsSettings tls,
        @Nullable TenantSettings tenant,
        ServiceSettings service,
        @Nullable SealKeys encryption,
        UpstreamSettings upstream,
        List<RouteSettings> routes,
        WebhooksSettings webhooks,
        ConnectionLimits limits,
        boolean acceptLostKeys) {
    public static final HostPort DEFAULT_LISTEN = new HostPort("127.0.0.1", 8080);
    public static final String DEFAULT_STORE = "rocksdb:./semel-data";

    private static final List<RouteSettings> DEFAULT_ROUTES = List.of(
            route("POST /**", KeyMode.OPTIONAL), route("PATCH /**", KeyMode.OPTIONAL), route("* /**", KeyMode.OFF));

    public static GatewayConfig of(UpstreamSettings upstream) {
        return new GatewayConfig(
                DEFAULT_LISTEN,
                AdminSettings.DEFAULT,
                DEFAULT_STORE,
                null,
                null,
                null,
                ServiceSettings.DEFAULT,
                null,
                upstream,
                List.of(),
                WebhooksSettings.NONE,
                ConnectionLimits.DEFAULT,
                false);
    }

    /** The configured routes, then what holds for requests that none of them matches, as far as there can be such. */
    public List<RouteSettings> allRoutes() {
        List<RouteSettings> all = new ArrayList<>(routes);
        for (RouteSettings route : DEFAULT_ROUTES) if (!isCovered(route)) all.add(route);
        return all;
    }

    private boolean isCovered(RouteSettings byDefault) {
        return routes.stream().anyMatch(route -> route.pattern().covers(byDefault.pattern()));
    }

    private static RouteSettings route(String match, KeyMode key) {
        return new RouteSettings(RoutePattern.parse(match), RoutePolicy.DEFAULT.withKey(key), null);
    }

    public GatewayConfig withListen(HostPort listen) {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    /** With the same admin token, if there is one. */
    public GatewayConfig withAdmin(HostPort listen) {
        return withAdmin(admin.withListen(listen));
    }

    public GatewayConfig withAdmin(AdminSettings admin) {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    public GatewayConfig withTls(@Nullable TlsSettings tls) {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    public GatewayConfig withLimits(ConnectionLimits limits) {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    public GatewayConfig withStore(String store) {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    public GatewayConfig withStoreBefore(String storeBefore) {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    /** With what a reload can change: the routes, upstreams, tenants and certificates of the other. */
    public GatewayConfig withRulesOf(GatewayConfig next) {
        TlsSettings certificate = tls == null || next.tls == null ? tls : next.tls;
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                certificate,
                next.tenant,
                next.service,
                encryption,
                next.upstream,
                next.routes,
                webhooks,
                limits,
                acceptLostKeys);
    }

    public GatewayConfig acceptingLostKeys() {
        return new GatewayConfig(
                listen,
                admin,
                store,
                storeBefore,
                tls,
                tenant,
                service,
                encryption,
                upstream,
                routes,
                webhooks,
                limits,
                true);
    }
}
