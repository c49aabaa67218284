package dev.semel.http;

import dev.semel.core.claim.ClaimPolicy;
import java.util.Locale;

/** Policies in the words of the configuration. */
final class PolicyText {
    private PolicyText() {}

    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String inFlight(ClaimPolicy claims) {
        return claims.waitFor().isZero() ? "reject" : "wait " + DurationText.of(claims.waitFor());
    }

    static String size(long bytes) {
        if (bytes != 0 && bytes % (1 << 20) == 0) return (bytes >> 20) + " MiB";
        if (bytes != 0 && bytes % (1 << 10) == 0) return (bytes >> 10) + " KiB";
        return bytes + " bytes";
    }
}
