package dev.semel.gateway.config;

import dev.semel.admin.Loopback;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether the addresses of a gateway get in each other's way. Judged by what is written: no name is looked up. */
public final class Addresses {
    private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");
    private static final Set<String> USUAL_LOOPBACK = Set.of("127.0.0.1", "::1");

    private Addresses() {}

    /** What is wrong, and what to do; null when nothing is. */
    public static @Nullable String flaw(GatewayConfig config) {
        HostPort listen = config.listen();
        HostPort admin = config.admin().listen();
        if (meet(listen, admin))
            return "Clients (listen " + listen + ") and operators (admin " + admin
                    + ") cannot share one address. Give one of them another port.";
        for (URI url : urls(config)) {
            HostPort upstream = address(url);
            if (meet(listen, upstream)) return toItself(url, "listens on " + listen);
            if (meet(admin, upstream)) return toItself(url, "has its admin listener on " + admin);
        }
        return null;
    }

    private static String toItself(URI url, String where) {
        return "The upstream " + url + " is this gateway, which " + where
                + ": requests would go round in a circle. Name the address of the API behind it.";
    }

    private static List<URI> urls(GatewayConfig config) {
        return Stream.concat(
                        Stream.of(config.upstream()), config.routes().stream().map(RouteSettings::upstream))
                .filter(upstream -> upstream != null)
                .flatMap(upstream -> upstream.urls().stream())
                .distinct()
                .toList();
    }

    private static HostPort address(URI url) {
        int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? 443 : 80;
        String host = url.getHost();
        return new HostPort(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    /** Port 0 is whatever the system chooses. */
    private static boolean meet(HostPort one, HostPort other) {
        if (one.port() != other.port() || one.port() == 0) return false;
        String first = one.host().toLowerCase(Locale.ROOT);
        String second = other.host().toLowerCase(Locale.ROOT);
        return first.equals(second) || isAlso(first, second) || isAlso(second, first);
    }

    private static boolean isAlso(String host, String other) {
        if (EVERY_ADDRESS.contains(host)) return Loopback.isHost(other) || EVERY_ADDRESS.contains(other);
        return host.equals("localhost") && USUAL_LOOPBACK.contains(other);
    }
}
