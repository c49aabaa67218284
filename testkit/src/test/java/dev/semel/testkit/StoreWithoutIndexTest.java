package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Codec;
import dev.semel.core.Semel;
import dev.semel.core.claim.Quotas;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreTraits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store that only serves requests passes what it claims, and is refused what it cannot. */
class StoreWithoutIndexTest extends KeyStoreContract {
    private final HandClock clock = new HandClock();
    private final KeyStore store = new ForwardingKeyStore(new InMemoryKeyStore(clock)) {
        @Override
        public @Nullable KeyIndex index() {
            return null;
        }

        @Override
        public StoreTraits traits() {
            return super.traits().withoutListing().withoutCounting().withForgetting(StoreTraits.Forgetting.SERVER);
        }
    };

    @Override
    protected KeyStore store() {
        return store;
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }

    @Test
    void the_engine_runs_on_it() {
        try (Semel semel = Semel.on(store).quotas(Quotas.NONE.withInFlight(1)).start()) {
            for (int i = 0; i < 2; i++)
                assertEquals("ran", semel.operation("o", Codec.text()).once("k", null, attempt -> "ran"));
        }
    }

    @Test
    void a_quota_of_kept_keys_does_not_start() {
        IllegalStateException refused = assertThrows(
                IllegalStateException.class,
                () -> Semel.on(store).quotas(Quotas.NONE.withKeys(10)).start());
        assertTrue(refused.getMessage().contains("cannot"), refused.getMessage());
    }
}
