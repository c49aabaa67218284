package dev.semel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Quotas;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class GivenUpClaimsTest {
    private static final KeyId ID = KeyId.of("tenant", "charge", "k");
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.VALUE, new byte[] {1});

    private final InMemoryKeyStore store = new InMemoryKeyStore();
    private final AtomicReference<NewKey> onItsWay = new AtomicReference<>();

    /** The answer to the first insert is lost, and the write itself is late. */
    private final ForwardingKeyStore late = new ForwardingKeyStore(store) {
        @Override
        public Inserted insert(NewKey key) {
            if (!onItsWay.compareAndSet(null, key)) return super.insert(key);
            throw StoreException.unknown("on its way", null);
        }
    };

    @Test
    void a_claim_that_a_quota_refused_after_its_answer_was_lost_does_not_keep_its_key() {
        try (Semel semel = Semel.on(late)
                .quotas(Quotas.NONE.withKeys(1))
                .retryPause(Duration.ofMillis(1))
                .sweepEvery(Duration.ZERO)
                .start()) {
            Claim answer = semel.claim(new ClaimRequest(ID, ASKED, ClaimPolicy.DEFAULT));
            assertInstanceOf(Claim.OverQuota.class, answer, "its first try has used up the quota");
            store.insert(Objects.requireNonNull(onItsWay.get()));
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (state().kind() == KeyState.Kind.HELD && System.nanoTime() - end < 0) Thread.onSpinWait();
            assertEquals(KeyState.Kind.FREE, state().kind());
        }
    }

    private KeyState state() {
        return Objects.requireNonNull(store.find(ID)).record().state();
    }
}
