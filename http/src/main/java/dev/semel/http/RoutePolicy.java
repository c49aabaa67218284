package dev.semel.http;

import dev.semel.core.ClaimPolicy;

/**
 * How requests of one route are treated.
 *
 * @param requestLimit the largest body of a keyed request, in bytes
 * @param responseLimit the largest body that is kept for replays, in bytes
 */
public record RoutePolicy(
        KeyMode key,
        ClaimPolicy claims,
        StatusRules statuses,
        RequestFingerprint fingerprint,
        HeaderRules headers,
        long requestLimit,
        long responseLimit) {

    public static final RoutePolicy DEFAULT = new RoutePolicy(
            KeyMode.OPTIONAL,
            ClaimPolicy.DEFAULT,
            StatusRules.DEFAULT,
            RequestFingerprint.DEFAULT,
            HeaderRules.DEFAULT,
            1 << 20,
            4 << 20);

    public RoutePolicy withKey(KeyMode key) {
        return new RoutePolicy(key, claims, statuses, fingerprint, headers, requestLimit, responseLimit);
    }
}
