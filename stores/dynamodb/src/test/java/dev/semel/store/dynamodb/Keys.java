package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Keys and records for tests. */
final class Keys {
    static final Duration HOUR = Duration.ofHours(1);
    static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);

    private Keys() {}

    static KeyId id(String key) {
        return KeyId.of("tenant", "POST /v1/charges", key);
    }

    static NewKey claim(KeyId id) {
        return claim(id, Memo.NONE);
    }

    static NewKey claim(KeyId id, Memo memo) {
        return new NewKey(id, FINGERPRINT, "holder-" + UUID.randomUUID(), HOUR, Guarantee.AT_MOST_ONCE, false, memo);
    }

    static KeyRecord insert(KeyStore store, KeyId id) {
        return assertInstanceOf(Inserted.Fresh.class, store.insert(claim(id))).record();
    }

    static KeyRecord replace(KeyStore store, KeyRecord seen, Next next) {
        return assertInstanceOf(Replaced.Swapped.class, store.replace(seen, Change.of(seen, next)))
                .record();
    }

    static Next.Done done(String outcome) {
        return done(outcome.getBytes(StandardCharsets.UTF_8));
    }

    static Next.Done done(byte[] outcome) {
        return new Next.Done(Outcome.of(outcome), HOUR, HOUR);
    }
}
