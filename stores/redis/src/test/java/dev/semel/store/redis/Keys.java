package dev.semel.store.redis;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Assertions;

/** Short words for tests. */
final class Keys {
    static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration HOUR = Duration.ofHours(1);

    private Keys() {}

    static KeyId id(String key) {
        return KeyId.of("acme", "POST /v1/charges", key);
    }

    static NewKey claim(KeyId id) {
        return new NewKey(id, FINGERPRINT, "holder of " + id.key(), LEASE);
    }

    static Outcome outcome(String text) {
        return Outcome.of(text.getBytes(StandardCharsets.UTF_8));
    }

    static Next.Done done(String text) {
        return new Next.Done(outcome(text), HOUR, HOUR);
    }

    static KeyRecord insert(KeyStore store, KeyId id) {
        return Assertions.assertInstanceOf(Inserted.Fresh.class, store.insert(claim(id)))
                .record();
    }

    static KeyRecord replace(KeyStore store, KeyRecord seen, Next next) {
        return Assertions.assertInstanceOf(Replaced.Swapped.class, store.replace(seen, Change.of(seen, next)))
                .record();
    }

    /** Claims the key and brings it into this state. */
    static KeyRecord put(KeyStore store, String key, Next next) {
        return replace(store, insert(store, id(key)), next);
    }

    /** The name of its record in Redis, made without the store's code. */
    static String name(String prefix, KeyId id) {
        return prefix + "{" + HexFormat.of().formatHex(id.digest()) + "}";
    }
}
