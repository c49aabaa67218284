package dev.semel.gateway.config;

import dev.semel.core.claim.Quotas;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which settings only count when a gateway starts. */
public final class RestartSettings {
    private RestartSettings() {}

    /** The names of those that differ, as they stand in the file. */
    public static List<String> changed(GatewayConfig running, GatewayConfig next) {
        List<String> names = new ArrayList<>();
        note(names, "listen", running.listen(), next.listen());
        note(names, "admin", running.admin(), next.admin());
        note(names, "store", running.store(), next.store());
        note(names, "store-before", running.storeBefore(), next.storeBefore());
        note(names, "encryption", running.encryption(), next.encryption());
        note(names, "webhooks", running.webhooks().all(), next.webhooks().all());
        note(names, "limits", running.limits(), next.limits());
        note(names, "accept-lost-keys", running.acceptLostKeys(), next.acceptLostKeys());
        note(names, "tls", running.tls() == null, next.tls() == null);
        note(names, "tenant.quota", quotas(running), quotas(next));
        return List.copyOf(names);
    }

    private static void note(List<String> names, String name, @Nullable Object running, @Nullable Object next) {
        if (!Objects.equals(running, next)) names.add(name);
    }

    private static Quotas quotas(GatewayConfig config) {
        return config.tenant() == null ? Quotas.NONE : config.tenant().quotas();
    }
}
