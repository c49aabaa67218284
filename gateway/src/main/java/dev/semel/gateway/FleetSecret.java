package dev.semel.gateway;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * A random secret that all gateways on one store share. Whoever needs it first makes it; that there is only one is what
 * the engine is for: making it is an operation with a key. It is never sealed: whoever drops an encryption key must not
 * lose the tenants with it.
 */
final class FleetSecret {
    private static final int BYTES = 32;
    private static final ClaimPolicy POLICY = new ClaimPolicy(
            Guarantee.AT_LEAST_ONCE,
            Duration.ofSeconds(5),
            Duration.ofDays(36_500),
            Duration.ZERO,
            Duration.ofSeconds(20),
            null);

    private FleetSecret() {}

    /** @throws IllegalStateException when the store lets nobody make it */
    static byte[] of(Semel semel, String name) {
        ClaimRequest request = new ClaimRequest(KeyId.reserved("", "secret", name), Fingerprint.none(), POLICY);
        return switch (semel.claim(request)) {
            case Claim.AlreadyDone it -> read(it.outcome(), name);
            case Claim.Granted it -> {
                byte[] made = new byte[BYTES];
                new SecureRandom().nextBytes(made);
                Settlement settled = it.lease().complete(Outcome.of(Outcome.Format.INTERNAL, made, BYTES));
                if (settled instanceof Settlement.Accepted) yield made;
                throw new IllegalStateException("The secret '" + name + "' could not be stored; start again.");
            }
            default ->
                throw new IllegalStateException("The secret '" + name + "' is being made elsewhere; start again.");
        };
    }

    private static byte[] read(Outcome outcome, String name) {
        byte[] secret = outcome.payload();
        if (outcome.format() == Outcome.Format.INTERNAL && secret.length == BYTES) return secret;
        throw new IllegalStateException("The secret '" + name + "' in the store is damaged.");
    }
}
