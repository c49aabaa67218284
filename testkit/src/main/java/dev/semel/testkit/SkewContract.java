package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import dev.semel.core.store.KeyStore;
import dev.semel.core.time.HandTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * For stores whose records are judged by the clocks of clients: two processes on one store, one of whose clocks is fast
 * and one slow, by as much as was declared. A store's test extends this beside {@link KeyStoreContract}.
 */
public abstract class SkewContract {
    private static final Duration SKEW = Duration.ofSeconds(10);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofMillis(1);
    private final KeyId id = KeyId.of("", "charge", UUID.randomUUID().toString());
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});
    private static final ClaimPolicy POLICY = ClaimPolicy.DEFAULT
            .withLease(LEASE)
            .withRetention(RETENTION)
            .withTombstone(Duration.ZERO)
            .withWaitFor(Duration.ZERO)
            .withGuarantee(Guarantee.AT_LEAST_ONCE);

    /** Opens the store under test, the same one each time, as a client with this clock has it. */
    protected abstract KeyStore store(Clock clock, Duration skew);

    private final HandTime time = new HandTime();
    private KeyStore slowStore = new InMemoryKeyStore();
    private KeyStore fastStore = slowStore;
    private Semel slow = start(slowStore);
    private Semel fast = slow;

    private Semel start(KeyStore store) {
        return Semel.on(store).time(time).sweepEvery(Duration.ZERO).start();
    }

    @BeforeEach
    void open() {
        slow.close();
        slowStore = store(time.clock(), SKEW);
        fastStore = store(time.clock(SKEW), SKEW);
        slow = start(slowStore);
        fast = start(fastStore);
    }

    @AfterEach
    void close() {
        slow.close();
        fast.close();
    }

    private Claim claim(Semel semel) {
        return semel.claim(new ClaimRequest(id, ASKED, POLICY));
    }

    private Lease granted(Semel semel) {
        return assertInstanceOf(Claim.Granted.class, claim(semel)).lease();
    }

    @Test
    void nobody_takes_a_holder_for_silent_whose_own_clock_says_that_it_is_not() {
        // Of a remote holder, whom nobody here renews.
        ClaimRequest remote = new ClaimRequest(id, ASKED, POLICY).forRemoteHolder();
        Lease lease = assertInstanceOf(Claim.Granted.class, slow.claim(remote)).lease();
        time.advance(LEASE.minusNanos(1));
        assertTrue(lease.isSurelyHeld());
        assertInstanceOf(Claim.InProgress.class, claim(fast), "a clock that is fast by all of the skew");
        time.advance(Duration.ofNanos(1));
        assertFalse(lease.isSurelyHeld());
        assertInstanceOf(Claim.Granted.class, claim(fast), "now both agree that it is over");
    }

    @Test
    void a_holder_is_told_no_more_than_it_may_count_on() {
        Lease lease = granted(slow);
        assertEquals(slowStore.now().plus(LEASE), lease.leaseUntil());
    }

    @Test
    void tokens_grow_from_a_fast_clock_to_a_slow_one_across_release_and_take_over() {
        Lease first = granted(fast);
        first.release();
        ClaimRequest remote = new ClaimRequest(id, ASKED, POLICY).forRemoteHolder();
        Lease second = assertInstanceOf(Claim.Granted.class, slow.claim(remote)).lease();
        assertTrue(second.token() > first.token());
        time.advance(LEASE.plus(SKEW).plus(SKEW));
        Lease third = granted(slow);
        assertTrue(third.token() > second.token());
    }

    @Test
    void tokens_grow_also_when_the_fast_clock_forgets_a_key_and_the_slow_one_begins_it_anew() {
        Lease first = granted(fast);
        first.complete(Outcome.of(new byte[] {1}));
        time.advance(RETENTION);
        sweep(fastStore);
        sweep(slowStore);
        assertTrue(slowStore.find(id) != null, "too early to forget: the slow clock would begin below the last token");
        time.advance(SKEW.multipliedBy(2));
        sweep(fastStore);
        assertEquals(null, slowStore.find(id));
        Lease second = granted(slow);
        assertTrue(second.token() > first.token(), second.token() + " after " + first.token());
    }

    /** A remote holder, a probe or an operator may settle through another process than the one that claimed. */
    @Test
    void tokens_grow_also_when_a_slow_clock_settled_what_a_fast_one_claimed() {
        ClaimRequest remote = new ClaimRequest(id, ASKED, POLICY).forRemoteHolder();
        Lease first = assertInstanceOf(Claim.Granted.class, fast.claim(remote)).lease();
        slow.remoteLease(id, first.token(), POLICY).complete(Outcome.of(new byte[] {1}));
        for (Duration step = Duration.ZERO; slowStore.find(id) != null; step = SKEW.dividedBy(10)) {
            time.advance(step);
            sweep(fastStore);
        }
        Lease second = granted(slow);
        assertTrue(second.token() > first.token(), second.token() + " after " + first.token());
    }

    private static void sweep(KeyStore store) {
        while (!Objects.requireNonNull(store.index()).sweep(100).finished()) {}
    }
}
