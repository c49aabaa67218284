package dev.semel.store.rocksdb;

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
import java.time.Duration;
import java.util.Random;

/** Keys and outcomes to try things with. */
final class Sample {
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration RETENTION = Duration.ofHours(24);
    static final Duration TOMBSTONE = Duration.ofDays(30);
    static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);

    private Sample() {}

    static KeyId id(String key) {
        return KeyId.of("tenant", "POST /v1/charges", key);
    }

    static NewKey claim(String key) {
        return new NewKey(id(key), FINGERPRINT, "holder of " + key, LEASE);
    }

    static Change done(KeyRecord seen, Outcome outcome) {
        return Change.of(seen, new Next.Done(outcome, RETENTION, TOMBSTONE));
    }

    static Outcome outcome(int bytes, Random random) {
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        return Outcome.of(body);
    }

    static KeyRecord insert(KeyStore store, String key) {
        return assertInstanceOf(Inserted.Fresh.class, store.insert(claim(key))).record();
    }

    static KeyRecord complete(KeyStore store, KeyRecord seen, Outcome outcome) {
        return swap(store, seen, done(seen, outcome));
    }

    static KeyRecord swap(KeyStore store, KeyRecord seen, Change change) {
        return assertInstanceOf(Replaced.Swapped.class, store.replace(seen, change))
                .record();
    }
}
