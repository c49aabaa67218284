package dev.semel.core.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.time.EngineTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final ClaimRequest REQUEST = new ClaimRequest(
            KeyId.of("", "POST /v1/charges", "k"),
            Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1}),
            ClaimPolicy.DEFAULT);
    private static final long LEASE = ClaimPolicy.DEFAULT.lease().toMillis();

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong wall = new AtomicLong();
    private final EngineTime time = new EngineTime() {
        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public long wallMillis() {
            return wall.get();
        }

        @Override
        public void parkUntil(long until) {
            LockSupport.park(this);
        }
    };

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
        Semel semel = Semel.on(new InMemoryKeyStore(clock)).time(time).start();
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
