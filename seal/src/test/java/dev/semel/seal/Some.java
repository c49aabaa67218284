package dev.semel.seal;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Keys, records and keys to seal them with. */
final class Some {
    static final Duration HOUR = Duration.ofHours(1);

    private Some() {}

    static KeyId key(String name) {
        return KeyId.of("t", "POST /v1/charges", name);
    }

    /** Keys of which each has its own bytes, the same for the same id. */
    static SealKeys keys(String active, String... others) {
        Map<String, byte[]> keys = new HashMap<>();
        keys.put(active, bytesOf(active));
        for (String other : others) keys.put(other, bytesOf(other));
        return SealKeys.of(active, keys);
    }

    static byte[] bytesOf(String id) {
        return Arrays.copyOf(("the bytes of " + id).getBytes(StandardCharsets.UTF_8), SealKeys.KEY_BYTES);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static KeyRecord held(KeyStore store, KeyId id, Memo memo) {
        NewKey key = new NewKey(
                id,
                Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1}),
                "h",
                HOUR,
                Guarantee.AT_LEAST_ONCE,
                false,
                memo);
        return ((Inserted.Fresh) store.insert(key)).record();
    }

    static KeyRecord done(KeyStore store, KeyId id, Outcome outcome) {
        return become(store, held(store, id, Memo.NONE), new Next.Done(outcome, HOUR, HOUR));
    }

    static KeyRecord become(KeyStore store, KeyRecord seen, Next next) {
        return ((Replaced.Swapped) store.replace(seen, Change.of(seen, next))).record();
    }

    static KeyRecord found(KeyStore store, KeyId id) {
        return Objects.requireNonNull(store.find(id)).record();
    }

    static Outcome outcome(KeyStore store, KeyId id) {
        return ((KeyState.Done) found(store, id).state()).outcome();
    }
}
