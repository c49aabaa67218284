package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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
import java.util.Random;

/** Keys for tests, and what is done with them. */
final class Keys {
    static final Duration HOUR = Duration.ofHours(1);
    static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);

    private Keys() {}

    static KeyId id(String key) {
        return KeyId.of("tenant", "POST /v1/charges", key);
    }

    static NewKey claim(String key) {
        return new NewKey(id(key), FINGERPRINT, "holder of " + key, Duration.ofSeconds(30));
    }

    static KeyRecord insert(KeyStore store, String key) {
        return assertInstanceOf(Inserted.Fresh.class, store.insert(claim(key))).record();
    }

    static KeyRecord replace(KeyStore store, KeyRecord seen, Next next) {
        return assertInstanceOf(Replaced.Swapped.class, store.replace(seen, Change.of(seen, next)))
                .record();
    }

    static Next.Done done(String body) {
        return done(body, HOUR, HOUR);
    }

    static Next.Done done(String body, Duration retention, Duration tombstone) {
        return new Next.Done(Outcome.of(body.getBytes(StandardCharsets.UTF_8)), retention, tombstone);
    }

    static Next.Done done(int bytes) {
        byte[] body = new byte[bytes];
        new Random(bytes).nextBytes(body);
        return new Next.Done(Outcome.of(body), HOUR, HOUR);
    }
}
