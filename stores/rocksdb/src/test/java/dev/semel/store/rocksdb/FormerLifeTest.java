package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.semel.core.store.KeyStore;
import dev.semel.seal.SealKeys;
import dev.semel.seal.SealedKeyStore;
import dev.semel.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever held a key when the process died is dead, and the next process knows it without waiting for the lease. */
class FormerLifeTest {
    private static final ClaimPolicy ONCE = ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO);
    private static final ClaimPolicy AGAIN = ONCE.withGuarantee(Guarantee.AT_LEAST_ONCE);
    private static final ClaimRequest AT_MOST_ONCE = request("at most once", ONCE);
    private static final ClaimRequest AT_LEAST_ONCE = request("at least once", AGAIN);
    private static final ClaimRequest ELSEWHERE = request("elsewhere", ONCE).forRemoteHolder();

    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();

    private static ClaimRequest request(String key, ClaimPolicy policy) {
        return new ClaimRequest(
                KeyId.of("", "POST /v1/charges", key),
                Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1}),
                policy);
    }

    private KeyStore open() {
        return RocksKeyStore.open(folder, Durability.OS, clock);
    }

    private void restart(Function<KeyStore, KeyStore> around, Restarted then) {
        long token;
        try (KeyStore store = around.apply(open());
                Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start();
                Semel twin = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            token = lease(semel.claim(AT_MOST_ONCE)).token();
            lease(semel.claim(AT_LEAST_ONCE));
            lease(semel.claim(ELSEWHERE));
            assertInstanceOf(Claim.InProgress.class, twin.claim(AT_MOST_ONCE), "both are in the same life");
            assertTrue(store.index().sweep(100).due().isEmpty());
        }
        clock.advance(Duration.ofMillis(1));
        try (KeyStore store = around.apply(open());
                Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            then.look(store, semel, token);
        }
    }

    private interface Restarted {
        void look(KeyStore store, Semel semel, long token);
    }

    private static Lease lease(Claim claim) {
        return assertInstanceOf(Claim.Granted.class, claim).lease();
    }

    @Test
    void after_a_restart_a_key_is_in_doubt_or_runs_again_at_once() {
        restart(Function.identity(), (store, semel, token) -> {
            assertEquals(
                    token,
                    assertInstanceOf(Claim.InDoubt.class, semel.claim(AT_MOST_ONCE))
                            .token());
            assertEquals(2, lease(semel.claim(AT_LEAST_ONCE)).attempt());
            assertInstanceOf(Claim.InProgress.class, semel.claim(AT_LEAST_ONCE), "held in this life");
        });
    }

    @Test
    void a_holder_outside_outlives_the_process_also_where_memos_are_sealed() {
        SealKeys keys = SealKeys.of("k1", Map.of("k1", new byte[SealKeys.KEY_BYTES]));
        restart(store -> new SealedKeyStore(store, keys), (store, semel, token) -> {
            assertInstanceOf(Claim.InProgress.class, semel.claim(ELSEWHERE));
            assertInstanceOf(Claim.InDoubt.class, semel.claim(AT_MOST_ONCE));
        });
    }

    @Test
    void the_sweep_points_out_the_dead_and_only_them() {
        restart(
                Function.identity(),
                (store, semel, token) -> assertEquals(
                        Set.of(AT_MOST_ONCE.id(), AT_LEAST_ONCE.id()),
                        Set.copyOf(store.index().sweep(100).due())));
    }
}
