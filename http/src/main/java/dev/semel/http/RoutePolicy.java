package dev.semel.http;

import dev.semel.core.claim.ClaimPolicy;
import org.jspecify.annotations.Nullable;

/**
 * How requests of one route are treated.
 *
 * @param probe how a doubt is ended by asking the upstream; null when it is not
 * @param order that writes keep their order; null when they need not
 * @param requestLimit the largest body of a keyed request, in bytes
 * @param responseLimit the largest body that is kept for replays, in bytes
 */
public record RoutePolicy(
        KeyMode key,
        KeyRule keys,
        ClaimPolicy claims,
        StatusRules statuses,
        RequestFingerprint fingerprint,
        HeaderRules headers,
        @Nullable ProbeRule probe,
        @Nullable OrderRule order,
        long requestLimit,
        long responseLimit) {

    public static final RoutePolicy DEFAULT = new RoutePolicy(
            KeyMode.OPTIONAL,
            KeyRule.DEFAULT,
            ClaimPolicy.DEFAULT,
            StatusRules.DEFAULT,
            RequestFingerprint.DEFAULT,
            HeaderRules.DEFAULT,
            null,
            null,
            1 << 20,
            4 << 20);

    public RoutePolicy withKey(KeyMode key) {
        return new RoutePolicy(
                key, keys, claims, statuses, fingerprint, headers, probe, order, requestLimit, responseLimit);
    }

    public RoutePolicy withClaims(ClaimPolicy claims) {
        return new RoutePolicy(
                key, keys, claims, statuses, fingerprint, headers, probe, order, requestLimit, responseLimit);
    }
}
