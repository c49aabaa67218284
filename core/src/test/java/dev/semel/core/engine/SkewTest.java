package dev.semel.core.engine;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.time.HandTime;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Why a skew has to be declared. That it is enough is the contract {@code SkewContract} of the testkit. */
class SkewTest {
    private static final Duration SKEW = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofMillis(1);
    private static final KeyId ID = KeyId.of("", "charge", "k");
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final ClaimPolicy POLICY = ClaimPolicy.DEFAULT
            .withLease(LEASE)
            .withRetention(RETENTION)
            .withTombstone(Duration.ZERO)
            .withWaitFor(Duration.ZERO)
            .withGuarantee(Guarantee.AT_LEAST_ONCE);

    private final HandTime time = new HandTime();

    private static Claim claim(Semel semel) {
        return semel.claim(new ClaimRequest(ID, ASKED, POLICY));
    }

    private static Lease granted(Semel semel) {
        return assertInstanceOf(Claim.Granted.class, claim(semel)).lease();
    }

    @Test
    void without_the_margin_the_same_would_give_a_lower_token() {
        InMemoryKeyStore plain = new InMemoryKeyStore(time.clock());
        InMemoryKeyStore ahead = plain.by(time.clock(SKEW));
        try (Semel one = Semel.on(ahead).time(time).sweepEvery(Duration.ZERO).start();
                Semel other =
                        Semel.on(plain).time(time).sweepEvery(Duration.ZERO).start()) {
            Lease first = granted(one);
            first.complete(Outcome.of(new byte[] {1}));
            time.advance(RETENTION);
            sweep(ahead);
            assertTrue(granted(other).token() < first.token(), "which is why the skew has to be declared");
        }
    }

    private static void sweep(InMemoryKeyStore store) {
        while (!Objects.requireNonNull(store.index()).sweep(100).finished()) {}
    }
}
