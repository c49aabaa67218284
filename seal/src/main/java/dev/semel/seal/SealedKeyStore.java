package dev.semel.seal;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.seal.Seal.Opened;
import dev.semel.seal.Seal.Role;
import java.sql.Connection;
import java.time.Duration;
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
public final class SealedKeyStore extends ForwardingKeyStore {
    private final SealKeys keys;
    private final Seal seal;

    /** @param keys {@link SealKeys#NONE} to seal nothing, and to see what others have sealed for what it is */
    public SealedKeyStore(KeyStore store, SealKeys keys) {
        super(store);
        this.keys = keys;
        this.seal = new Seal(keys);
    }

    @Override
    public Inserted insert(NewKey key) {
        if (keys.isEmpty()) return opened(super.insert(key));
        return switch (super.insert(key.withMemo(sealed(key.id(), key.memo())))) {
            case Inserted.Fresh(KeyRecord it) -> new Inserted.Fresh(it.with(key.memo(), it.state()));
            case Inserted.Existing(Seen it) -> new Inserted.Existing(opened(it));
            case Inserted.Busy it -> it;
        };
    }

    private Inserted opened(Inserted inserted) {
        return inserted instanceof Inserted.Existing it ? new Inserted.Existing(opened(it.seen())) : inserted;
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        if (keys.isEmpty()) return opened(super.replace(seen, change));
        Change sealed = change.with(sealed(seen.id(), change.memo()), sealed(seen.id(), change.next()));
        return switch (super.replace(seen, sealed)) {
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
        boolean asItIs = memo.isEmpty() || memo.isSealed();
        return asItIs ? memo : Memo.ofStored(seal.seal(id, Role.MEMO, memo.encoded(), 0));
    }

    private Next sealed(KeyId id, Next next) {
        if (!(next instanceof Next.Done done)) return next;
        Outcome outcome = done.outcome();
        // Nothing of it is secret.
        if (outcome.isShredded()) return next;
        Outcome sealed = Outcome.ofStored(seal.seal(id, Role.OUTCOME, outcome.encoded(), outcome.clear()));
        return new Next.Done(sealed, done.retention(), done.tombstone(), done.doneSince());
    }

    /** What was just written need not be opened: it is known. */
    private static KeyRecord asAsked(KeyRecord written, Change change) {
        KeyState state = written.state() instanceof KeyState.Done done && change.next() instanceof Next.Done asked
                ? new KeyState.Done(asked.outcome(), done.replayUntil(), done.forgetAt())
                : written.state();
        return written.with(change.memo(), state);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Seen seen = super.find(id);
        return seen == null ? null : opened(seen);
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return super.findAll(ids).stream().map(this::opened).toList();
    }

    private Seen opened(Seen seen) {
        KeyRecord record = seen.record();
        if (isPlain(record)) return seen;
        KeyState state = record.state() instanceof KeyState.Done done
                ? new KeyState.Done(opened(record.id(), done.outcome()), done.replayUntil(), done.forgetAt())
                : record.state();
        return new Seen(record.with(opened(record.id(), record.memo()), state), seen.now());
    }

    private static boolean isPlain(KeyRecord record) {
        return SealHead.isPlain(record.memo().encoded())
                && !(record.state() instanceof KeyState.Done done
                        && !SealHead.isPlain(done.outcome().encoded()));
    }

    private Outcome opened(KeyId id, Outcome kept) {
        return switch (seal.open(id, Role.OUTCOME, kept.encoded())) {
            case Opened.Whole it -> Outcome.ofStored(it.bytes(), it.clear());
            case Opened.KeyGone it -> Outcome.shredded(it.clear());
            case Opened.Damaged it -> throw damaged("outcome", id, it);
        };
    }

    private Memo opened(KeyId id, Memo kept) {
        return switch (seal.open(id, Role.MEMO, kept.encoded())) {
            case Opened.Whole it -> Memo.ofStored(it.bytes());
            // Left as it is, and written back like that: whoever has the key can still read it.
            case Opened.KeyGone it -> kept;
            case Opened.Damaged it -> throw damaged("memo", id, it);
        };
    }

    /** What stands in the clear of a sealed outcome, as a store without the key has it; an outcome that is not sealed as it is. */
    public static Outcome clearPart(Outcome stored) {
        byte[] encoded = stored.encoded();
        SealHead head = stored.isShredded() || SealHead.isPlain(encoded) ? null : SealHead.read(encoded);
        return head == null ? stored : Outcome.shredded(head.clear());
    }

    private static StoreException damaged(String what, KeyId id, Opened.Damaged damaged) {
        return StoreException.notApplied(
                "The stored " + what + " of the key " + id + " is damaged: " + damaged.why() + ".", null);
    }

    @Override
    public @Nullable JoiningKeyStore joining() {
        JoiningKeyStore behind = super.joining();
        return behind == null ? null : new Joining(behind);
    }

    /** The same inside a transaction of the caller's. */
    private final class Joining implements JoiningKeyStore {
        private final JoiningKeyStore behind;

        Joining(JoiningKeyStore behind) {
            this.behind = behind;
        }

        @Override
        public Joined join(Connection transaction, KeyId id, Duration atMost) {
            Joined joined = behind.join(transaction, id, atMost);
            return joined instanceof Joined.Alone(Seen seen, Instant now, Instant began) && seen != null
                    ? new Joined.Alone(opened(seen), now, began)
                    : joined;
        }

        @Override
        public @Nullable KeyRecord record(
                Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
            if (keys.isEmpty()) return behind.record(transaction, id, seen, began, change);
            Change sealed = change.with(sealed(id, change.memo()), sealed(id, change.next()));
            KeyRecord written = behind.record(transaction, id, seen, began, sealed);
            return written == null ? null : asAsked(written, change);
        }

        @Override
        public @Nullable KeyRecord recordAndCommit(
                Connection transaction, KeyId id, @Nullable KeyRecord seen, Instant began, Change change) {
            if (keys.isEmpty()) return behind.recordAndCommit(transaction, id, seen, began, change);
            Change sealed = change.with(sealed(id, change.memo()), sealed(id, change.next()));
            KeyRecord written = behind.recordAndCommit(transaction, id, seen, began, sealed);
            return written == null ? null : asAsked(written, change);
        }

        @Override
        public void forbidCommit(Connection transaction, String reason) {
            behind.forbidCommit(transaction, reason);
        }
    }

    /** A sealed outcome takes some bytes more. */
    @Override
    public StoreTraits traits() {
        StoreTraits traits = super.traits();
        long largest = traits.largestOutcome();
        return keys.isEmpty() || largest == Long.MAX_VALUE
                ? traits
                : traits.withLargestOutcome(largest - Memo.SEAL_ROOM);
    }
}
