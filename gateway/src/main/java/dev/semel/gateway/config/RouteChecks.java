package dev.semel.gateway.config;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.http.DurationText;
import dev.semel.http.Guard;
import dev.semel.http.KeyMode;
import dev.semel.http.RoutePattern;
import dev.semel.http.key.KeyAge;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks at routes that are well written for what cannot be meant. One for each file. */
final class RouteChecks {
    private static final Set<String> NEED_A_KEY = Set.of(
            "key-from",
            "key-syntax",
            "max-key-age",
            "guarantee",
            "in-flight",
            "lease",
            "retention",
            "tombstone",
            "probe",
            "fingerprint",
            "store-headers");

    /** Writes in order are taken in and judged by their status, with a key or without. */
    private static final Set<String> NEED_A_KEY_OR_AN_ORDER = Set.of("statuses", "limits");

    private final @Nullable TenantSettings tenant;
    private final RouteOrder order = new RouteOrder();

    RouteChecks(@Nullable TenantSettings tenant) {
        this.tenant = tenant;
    }

    /** @param value the route as it stands in the file */
    void check(YamlValue value, RouteSettings route) {
        Map<String, YamlValue> entries = value.entries();
        YamlValue match = entries.getOrDefault("match", value);
        RoutePattern pattern = route.pattern();
        tell(match, HttpMethods.flaw(pattern.method()));
        tell(match, order.add(pattern, match.line()));
        tell(
                entries.getOrDefault("key-from", value),
                KeySecrets.flaw(route.policy().keys().source(), tenant));
        tell(
                entries.getOrDefault("max-key-age", value),
                age(route.policy().keys().age(), route.policy().claims()));
        withoutEffect(pattern.method(), route.policy().key(), entries);
    }

    private static void tell(YamlValue place, @Nullable String flaw) {
        if (flaw != null) place.wrong(flaw);
    }

    private static @Nullable String age(@Nullable KeyAge age, ClaimPolicy claims) {
        Duration remembered = claims.retention().plus(claims.tombstone());
        if (age == null || age.max().compareTo(remembered) <= 0) return null;
        return "'max-key-age' is longer than a key is remembered, which is " + DurationText.of(remembered)
                + " (retention and tombstone): a key that is older is forgotten, and its operation runs again. Write "
                + DurationText.of(remembered) + " or less, or remember keys for longer";
    }

    /** A setting without effect looks like a promise. */
    private static void withoutEffect(String method, KeyMode key, Map<String, YamlValue> entries) {
        boolean safe = Guard.isSafe(method);
        if (!safe && key != KeyMode.OFF) return;
        boolean ordered = !safe && entries.containsKey("order");
        String why = safe ? method + " requests pass through without a key" : "the route has 'key: off'";
        entries.forEach((name, value) -> {
            boolean idle = NEED_A_KEY.contains(name)
                    || (!ordered && NEED_A_KEY_OR_AN_ORDER.contains(name))
                    || (safe && name.equals("order"))
                    || (safe && name.equals("key") && key == KeyMode.REQUIRED);
            if (idle) value.wrong("'" + name + "' has no effect, for " + why + "; remove it");
        });
    }
}
