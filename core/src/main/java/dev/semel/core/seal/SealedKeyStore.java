package dev.semel.core.seal;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.seal.Seal.Opened;
import dev.semel.core.seal.Seal.Role;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreLife;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store whose outcomes and memos are sealed with AES-256-GCM before they reach the store behind it, and opened on
 * their way back. Everything else (ids, fingerprints, holders, states, histories) is there as it is.
 *
 * <p>What was written before sealing was turned on is read as it is. An outcome whose key is gone is
 * {@linkplain Outcome#shredded shredded}, and such a memo is empty. What was sealed with a key that is there, and does
 * not open, is damaged: the call throws {@link StoreException}, for nothing may be built on it.
 *
 * <p>Durable, safe for use by any thread, and linearizable as the store behind it is; owns it, and closes it.
 * {@link SealCheck} tells at the start whether these are the right keys.
 */
public final class SealedKeyStore implements KeyStore {
    private final KeyStore store;
    private final SealKeys keys;
    private final Seal seal;

    /** @param keys {@link SealKeys#NONE} to seal nothing, and to see what others have sealed for what it is */
    public SealedKeyStore(KeyStore store, SealKeys keys) {
        this.store = store;
        this.keys = keys;
        this.seal = new Seal(keys);
    }

    @Override
    public Inserted insert(NewKey key) {
        if (keys.isEmpty()) return opened(store.insert(key));
        NewKey sealed = new NewKey(
                key.id(), key.fingerprint(), key.holder(), key.lease(), key.guarantee(), sealed(key.id(), key.memo()));
        return switch (store.insert(sealed)) {
            case Inserted.Fresh(KeyRecord it) -> new Inserted.Fresh(with(it, key.memo(), it.state()));
            case Inserted.Existing(Seen it) -> new Inserted.Existing(opened(it));
        };
    }

    private Inserted opened(Inserted inserted) {
        return inserted instanceof Inserted.Existing it ? new Inserted.Existing(opened(it.seen())) : inserted;
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        if (keys.isEmpty()) return opened(store.replace(seen, change));
        Change sealed = new Change(
                change.fingerprint(),
                change.token(),
                change.attempt(),
                sealed(seen.id(), change.memo()),
                change.history(),
                sealed(seen.id(), change.next()));
        return switch (store.replace(seen, sealed)) {
            case Replaced.Swapped(KeyRecord it) -> new Replaced.Swapped(asAsked(it, change));
            case Replaced.Moved(Seen it) -> new Replaced.Moved(it == null ? null : opened(it));
        };
    }

    private Replaced opened(Replaced replaced) {
        return replaced instanceof Replaced.Moved it && it.current() != null
                ? new Replaced.Moved(opened(it.current()))
                : replaced;
    }

    private Memo sealed(KeyId id, Memo memo) {
        boolean asFound = !memo.isEmpty() && (memo.bytes()[0] & 0xff) == Outcome.SEALED;
        // A mark, and no secret: claims of holders outside must be known for what they are when a key is gone.
        boolean clear = memo.isEmpty() || memo.equals(Memo.ELSEWHERE);
        return clear || asFound ? memo : Memo.of(seal.seal(id, Role.MEMO, memo.bytes(), 0));
    }

    private Next sealed(KeyId id, Next next) {
        if (!(next instanceof Next.Done done)) return next;
        Outcome outcome = done.outcome();
        if (outcome.isShredded()) throw new IllegalArgumentException("What is left of an outcome cannot be recorded.");
        Outcome sealed = Outcome.of(seal.seal(id, Role.OUTCOME, outcome.bytes(), outcome.clear()));
        return new Next.Done(sealed, done.retention(), done.tombstone());
    }

    /** What was just written need not be opened: it is known. */
    private static KeyRecord asAsked(KeyRecord written, Change change) {
        KeyState state = written.state() instanceof KeyState.Done done && change.next() instanceof Next.Done asked
                ? new KeyState.Done(asked.outcome(), done.replayUntil(), done.forgetAt())
                : written.state();
        return with(written, change.memo(), state);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Seen seen = store.find(id);
        return seen == null ? null : opened(seen);
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return store.findAll(ids).stream().map(this::opened).toList();
    }

    private Seen opened(Seen seen) {
        KeyRecord record = seen.record();
        if (isPlain(record)) return seen;
        KeyState state = record.state() instanceof KeyState.Done done
                ? new KeyState.Done(opened(record.id(), done.outcome()), done.replayUntil(), done.forgetAt())
                : record.state();
        return new Seen(with(record, opened(record.id(), record.memo()), state), seen.now());
    }

    private static boolean isPlain(KeyRecord record) {
        return SealHead.isPlain(record.memo().bytes())
                && !(record.state() instanceof KeyState.Done done
                        && !SealHead.isPlain(done.outcome().bytes()));
    }

    private Outcome opened(KeyId id, Outcome kept) {
        return switch (seal.open(id, Role.OUTCOME, kept.bytes())) {
            case Opened.Whole it -> Outcome.of(it.bytes(), it.clear());
            case Opened.KeyGone it -> Outcome.shredded(it.clear());
            case Opened.Damaged it -> throw damaged("outcome", id, it);
        };
    }

    private Memo opened(KeyId id, Memo kept) {
        return switch (seal.open(id, Role.MEMO, kept.bytes())) {
            case Opened.Whole it -> Memo.of(it.bytes());
            // Left as it is, and written back like that: whoever has the key can still read it.
            case Opened.KeyGone it -> kept;
            case Opened.Damaged it -> throw damaged("memo", id, it);
        };
    }

    private static StoreException damaged(String what, KeyId id, Opened.Damaged damaged) {
        return StoreException.notApplied(
                "The stored " + what + " of the key " + id + " is damaged: " + damaged.why() + ".", null);
    }

    private static KeyRecord with(KeyRecord record, Memo memo, KeyState state) {
        return new KeyRecord(
                record.id(),
                record.fingerprint(),
                record.token(),
                record.attempt(),
                record.revision(),
                record.since(),
                memo,
                record.history(),
                state);
    }

    @Override
    public Listing.Page list(Listing listing) {
        return store.list(listing);
    }

    @Override
    public Purged purge(int limit) {
        return store.purge(limit);
    }

    @Override
    public long count(String tenant, long upTo) {
        return store.count(tenant, upTo);
    }

    @Override
    public Survives survives() {
        return store.survives();
    }

    @Override
    public @Nullable StoreLife life() {
        return store.life();
    }

    @Override
    public Instant now() {
        return store.now();
    }

    @Override
    public void close() {
        store.close();
    }
}
