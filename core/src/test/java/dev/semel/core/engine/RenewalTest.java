package dev.semel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.time.HandTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Renewal by a clock that is moved by hand: hours pass, and nobody waits. */
class RenewalTest {
    private static final KeyId ID = KeyId.of("", "charge", "k");
    private static final ClaimPolicy POLICY = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO);
    private static final ClaimRequest REQUEST =
            new ClaimRequest(ID, Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1}), POLICY);

    private final HandTime time = new HandTime();
    private final InMemoryKeyStore store = new InMemoryKeyStore(time.clock());
    private final BlockingQueue<KeyRecord> written = new LinkedBlockingQueue<>();
    private final ForwardingKeyStore watched = new ForwardingKeyStore(store) {
        @Override
        public Replaced replace(KeyRecord seen, Change change) {
            Replaced replaced = super.replace(seen, change);
            if (replaced instanceof Replaced.Swapped it) written.add(it.record());
            return replaced;
        }
    };

    @Test
    void a_lease_is_renewed_every_third_of_it_for_as_long_as_its_holder_runs() throws Exception {
        try (Semel semel =
                Semel.on(watched).time(time).sweepEvery(Duration.ZERO).start()) {
            Lease lease =
                    assertInstanceOf(Claim.Granted.class, semel.claim(REQUEST)).lease();
            for (int i = 0; i < 100; i++) {
                time.advance(POLICY.lease().dividedBy(3).plusMillis(100));
                KeyRecord renewed = Objects.requireNonNull(written.poll(30, TimeUnit.SECONDS), "not renewed");
                KeyState.Held held = assertInstanceOf(KeyState.Held.class, renewed.state());
                assertEquals(store.now().plus(POLICY.lease()), held.leaseUntil());
                assertInstanceOf(Claim.InProgress.class, semel.claim(REQUEST));
            }
            assertTrue(lease.isSurelyHeld());
        }
    }

    @Test
    void a_holder_that_slept_past_its_lease_and_was_overtaken_learns_it() throws Exception {
        ClaimRequest again = new ClaimRequest(ID, REQUEST.fingerprint(), POLICY.withGuarantee(Guarantee.AT_LEAST_ONCE));
        BlockingQueue<SemelEvent> lost = new LinkedBlockingQueue<>();
        HandTime asleep = new HandTime();
        try (Semel sleeper = Semel.on(store)
                        .time(asleep)
                        .sweepEvery(Duration.ZERO)
                        .listener(event -> {
                            if (event instanceof SemelEvent.LeaseLost) lost.add(event);
                        })
                        .start();
                Semel other =
                        Semel.on(store).time(time).sweepEvery(Duration.ZERO).start()) {
            Lease old =
                    assertInstanceOf(Claim.Granted.class, sleeper.claim(again)).lease();
            time.advance(POLICY.lease());
            assertInstanceOf(Claim.Granted.class, other.claim(again));
            asleep.advance(POLICY.lease());
            assertTrue(lost.poll(30, TimeUnit.SECONDS) != null);
            assertTrue(old.isLost());
        }
    }
}
