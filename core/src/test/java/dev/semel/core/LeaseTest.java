package dev.semel.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final ClaimRequest REQUEST = new ClaimRequest(
            KeyId.of("", "POST /v1/charges", "k"), Fingerprint.of(1, new byte[] {1}), ClaimPolicy.DEFAULT);
    private static final long LEASE = ClaimPolicy.DEFAULT.lease().toMillis();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong wall = new AtomicLong();

    /** A machine that sleeps for so long while the store writes the claim: only the clock on the wall notices. */
    private Lease claimedWhileTheMachineSleeps(long millis) {
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                wall.addAndGet(millis);
                return Instant.EPOCH.plusSeconds(1000);
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
        Semel semel = Semel.on(new InMemoryKeyStore(clock))
                .watch(() -> new Stopwatch.Reading(nanos.get(), wall.get()))
                .start();
        return assertInstanceOf(Claim.Granted.class, semel.claim(REQUEST)).lease();
    }

    @Test
    void a_holder_counts_its_time_from_before_the_claim_was_sent() {
        assertTrue(claimedWhileTheMachineSleeps(LEASE - 1).isSurelyHeld());
        assertFalse(claimedWhileTheMachineSleeps(LEASE).isSurelyHeld());
    }

    @Test
    void the_more_pessimistic_of_both_clocks_counts() {
        Lease lease = claimedWhileTheMachineSleeps(0);
        wall.addAndGet(-LEASE);
        nanos.addAndGet(LEASE * 1_000_000 - 1);
        assertTrue(lease.isSurelyHeld(), "a clock that was set back");
        nanos.incrementAndGet();
        assertFalse(lease.isSurelyHeld());
    }
}
