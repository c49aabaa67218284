package dev.semel.gateway.config;

import dev.semel.http.KeyMode;
import dev.semel.http.ProbeRule;
import dev.semel.http.template.Placeholder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is allowed and seldom meant: told when a configuration is checked, and when a gateway starts with it. */
public final class ConfigWarnings {
    private ConfigWarnings() {}

    /** Each in plain words, with what to do about it; no secrets. */
    public static List<String> of(GatewayConfig config) {
        if (config.tenant() == null) return List.of();
        return config.routes().stream()
                .map(ConfigWarnings::sharedProbe)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Keys of tenants are told apart here, but the upstream is asked by what stands in the path. */
    private static @Nullable String sharedProbe(RouteSettings route) {
        ProbeRule probe = route.policy().probe();
        if (probe == null || route.policy().key() == KeyMode.OFF) return null;
        if (probe.path().uses(Placeholder.Kind.HEADER) || probe.path().uses(Placeholder.Kind.BODY)) return null;
        return "the probe of '" + route.pattern() + "' (" + probe.place()
                + ") names nothing but the key, and two tenants"
                + " may use the same key: one could be given the other's outcome. Name something of the tenant in the"
                + " probe's path, such as {header:X-Merchant} or {body:/merchant}, or see to it that no two tenants"
                + " use the same key.";
    }
}
