package dev.semel.seal;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.seal.Seal.Opened;
import dev.semel.seal.Seal.Role;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/**
 * Tells at the start whether each key is the one that this store was used with before. A wrong key would seal outcomes
 * that the other processes cannot open, and find all older ones damaged.
 *
 * <p>For every id of a key there is a canary in the store: a record whose outcome is sealed with that very key. The
 * first start with an id writes it. Any number of processes may start at once; one that dies on the way leaves nothing
 * that the next cannot finish, for a key seals nothing else before its canary is there.
 */
public final class SealCheck {
    private static final String NAME = "encryption";

    private static final Fingerprint ANY = Fingerprint.none();
    private static final byte[] CANARY = "canary".getBytes(StandardCharsets.US_ASCII);
    private static final Duration MOMENT = Duration.ofSeconds(10);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final int MOST_LOST_RACES = 64;

    /** Cannot be the id of a key. */
    private static final KeyId MARK = KeyId.reserved("", NAME, "*");

    private final KeyStore store;
    private final Seal seal;
    private final String keyId;
    private final KeyId id;

    private SealCheck(KeyStore store, SealKeys keys, String keyId) {
        this.store = store;
        this.seal = new Seal(keys.withActive(keyId));
        this.keyId = keyId;
        this.id = canary(keyId);
    }

    /**
     * Returns when every key is known to be the right one, durably for the next start.
     *
     * @param store as it is behind a {@link SealedKeyStore}
     * @throws IllegalStateException when a key is not the one it was
     * @throws StoreException when the store cannot tell
     */
    public static void run(KeyStore store, SealKeys keys) {
        for (String keyId : keys.ids()) new SealCheck(store, keys, keyId).run();
        mark(store);
    }

    private static void mark(KeyStore store) {
        KeyRecord mark = findOrInsert(store, MARK);
        if (mark.state() instanceof KeyState.Done) return;
        store.replace(
                mark,
                Change.of(
                        mark, new Next.Done(Outcome.of(Outcome.Format.INTERNAL, CANARY, 0), FOR_EVER, Duration.ZERO)));
    }

    /** Whether this store was ever used with keys. */
    public static boolean wasSealed(KeyStore store) {
        return store.find(MARK) != null;
    }

    static KeyId canary(String keyId) {
        return KeyId.reserved("", NAME, keyId);
    }

    private void run() {
        KeyRecord record = findOrInsert(store, id);
        for (int round = 0; round < MOST_LOST_RACES; round++) {
            if (record.state() instanceof KeyState.Done done) {
                verify(done.outcome().encoded());
                return;
            }
            // Whoever holds it, lives or not, wants to write the same; one of the two will find it written.
            if (store.replace(record, written(record)) instanceof Replaced.Swapped) return;
            record = findOrInsert(store, id);
        }
        throw StoreException.notApplied("The canary changes faster than it can be read: " + id, null);
    }

    private static KeyRecord findOrInsert(KeyStore store, KeyId id) {
        return switch (store.insert(new NewKey(id, ANY, UUID.randomUUID().toString(), MOMENT))) {
            case Inserted.Fresh(KeyRecord it) -> it;
            case Inserted.Existing(Seen it) -> it.record();
            case Inserted.Busy it -> throw StoreException.notApplied("An open transaction has this record.", null);
        };
    }

    private void verify(byte[] canary) {
        SealHead head = SealHead.read(canary);
        boolean opens = head != null
                && head.keyId().equals(keyId)
                && seal.open(id, Role.OUTCOME, canary) instanceof Opened.Whole;
        if (!opens)
            throw new IllegalStateException("The encryption key '" + keyId
                    + "' is not the one this store was used with before; give '" + keyId
                    + "' its old bytes again, or, if they are lost, give the new key another id. What was sealed"
                    + " with a lost key cannot be read any more, but no operation runs again for that.");
    }

    private Change written(KeyRecord record) {
        Outcome canary = Outcome.ofStored(seal.seal(id, Role.OUTCOME, CANARY, 0));
        return Change.of(record, new Next.Done(canary, FOR_EVER, Duration.ZERO));
    }
}
