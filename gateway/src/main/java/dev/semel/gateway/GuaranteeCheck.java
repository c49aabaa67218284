package dev.semel.gateway;

import dev.semel.core.key.Guarantee;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.StoreUrl;
import dev.semel.http.KeyMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether a store can keep what the routes promise. Where it cannot, a gateway does not start. */
public final class GuaranteeCheck {
    private static final String REMEDY = "Use a store that keeps what it has answered, or let these routes be"
            + " 'guarantee: at-least-once', or say 'accept-lost-keys: true' in the configuration"
            + " (--accept-lost-keys) if operations may run twice after a crash.";

    /** Said in the URL of the store itself. */
    private static final Pattern ACCEPTED = Pattern.compile("[?&]accept-loss=true(&|$)");

    private GuaranteeCheck() {}

    /** What cannot be kept, and what to do; null when all can. */
    public static @Nullable String broken(GatewayConfig config, KeyStore store) {
        if (!(store instanceof DualReadKeyStore both))
            return broken(
                    config,
                    config.store(),
                    store.traits().survives(),
                    store.traits().losses());
        StoreTraits here = both.traitsHere();
        StoreTraits before = both.traitsBefore();
        String broken = broken(config, config.store(), here.survives(), here.losses());
        return broken != null || config.storeBefore() == null
                ? broken
                : broken(config, config.storeBefore(), before.survives(), before.losses());
    }

    /** The same before the store is opened, as far as its URL tells. */
    public static @Nullable String broken(GatewayConfig config) {
        return config.store().startsWith("memory:")
                ? broken(config, config.store(), Survives.NOTHING, List.of())
                : null;
    }

    private static @Nullable String broken(GatewayConfig config, String url, Survives survives, List<String> losses) {
        if (config.acceptLostKeys() || survives.compareTo(Survives.POWER_LOSS) >= 0) return null;
        if (ACCEPTED.matcher(url).find()) return null;
        // Whoever writes durability=os has said it in so many words.
        if (survives == Survives.PROCESS_DEATH && url.startsWith("rocksdb:")) return null;
        Optional<RouteSettings> promised = config.allRoutes().stream()
                .filter(route -> route.policy().key() != KeyMode.OFF)
                .filter(route -> route.policy().claims().guarantee() == Guarantee.AT_MOST_ONCE)
                .findFirst();
        return promised.isEmpty()
                ? null
                : "'" + promised.get().pattern() + "' promises at-most-once, and the store "
                        + StoreUrl.withoutSecrets(url)
                        + " cannot keep that: "
                        + lost(survives, losses) + " What is forgotten runs again. " + REMEDY;
    }

    private static String lost(Survives survives, List<String> losses) {
        if (!losses.isEmpty()) return "it may lose keys it has answered. " + String.join(" ", losses);
        return survives == Survives.NOTHING
                ? "it may lose keys it has answered when a process dies."
                : "it may lose keys it has answered when the power fails.";
    }
}
