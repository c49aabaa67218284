package dev.semel.core.move;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.move.KeyMove.Home;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store, and the one that was used before it, while a fleet changes from the one to the other. Safe also while some of the
 * fleet still use the store before alone: a key is decided where its record is, and leaves the store before by a seal. A
 * claim of a key that is not in the store yet brings it over: with its token, and with all that is known about it; one whose
 * holder is at work there is in progress until that holder is done.
 *
 * <p>A claim of a key that neither store knows costs a durable write more, the seal in the store before, and a look. When one
 * of the two does not answer, calls that need it throw; a key that is in the store needs nothing but the store. It owns both.
 *
 * <p>Not for joined operations, whose transaction is in one database: {@link #joining} gives nothing.
 */
public final class DualReadKeyStore extends ForwardingKeyStore {
    private static final int MOST_ROUNDS = 64;

    /** Leases and tokens bear clocks that differ a little, not clocks that are wrong. */
    private static final Duration LARGEST_DIFFERENCE = Duration.ofSeconds(10);

    private final KeyStore store;
    private final KeyStore before;
    private final KeyMove move;
    private final StoreTraits traits;
    private final @Nullable KeyIndex index;

    private DualReadKeyStore(KeyStore store, KeyStore before, UnaryOperator<Outcome> withoutBody) {
        super(store);
        this.store = store;
        this.before = before;
        this.traits = traitsOf(store.traits(), before.traits());
        this.move = new KeyMove(before, store, withoutBody);
        this.index = DualReadIndex.of(store, before);
    }

    /** For outcomes of any kind; one that is too large for the new store keeps its clear part. */
    public static DualReadKeyStore of(KeyStore store, KeyStore before) {
        return of(store, before, Outcome::clearPart);
    }

    /**
     * Reads both, and keeps what it writes in the first.
     *
     * @param withoutBody what is left of an outcome that is too large for the new store
     * @throws IllegalStateException when the clocks of the two differ by more than ten seconds
     * @throws StoreException when one of them does not answer
     */
    public static DualReadKeyStore of(KeyStore store, KeyStore before, UnaryOperator<Outcome> withoutBody) {
        checkClocks(store, before);
        return new DualReadKeyStore(store, before, withoutBody);
    }

    static void checkClocks(KeyStore store, KeyStore before) {
        Instant first = store.now();
        Instant between = before.now();
        Instant last = store.now();
        boolean ahead = between.isAfter(last.plus(LARGEST_DIFFERENCE));
        boolean behind = between.isBefore(first.minus(LARGEST_DIFFERENCE));
        if (ahead || behind)
            throw new IllegalStateException("The clocks of the two stores differ by more than "
                    + LARGEST_DIFFERENCE.toSeconds() + " s: one says " + between + ", the other " + last
                    + ". Tokens come from these clocks and must only grow. Set the clocks right, and start again.");
    }

    private static StoreTraits traitsOf(StoreTraits store, StoreTraits before) {
        List<String> losses = new ArrayList<>(store.losses());
        for (String loss : before.losses()) losses.add("The store before: " + loss);
        return new StoreTraits(
                store.survives().compareTo(before.survives()) < 0 ? store.survives() : before.survives(),
                store.clock().compareTo(before.clock()) < 0 ? before.clock() : store.clock(),
                store.skew().compareTo(before.skew()) < 0 ? before.skew() : store.skew(),
                Math.min(store.largestOutcome(), before.largestOutcome()),
                store.forgetting(),
                store.lists() && before.lists(),
                false,
                store.notifies(),
                false,
                store.life(),
                losses);
    }

    @Override
    public Inserted insert(NewKey key) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Seen there = store.find(key.id());
            if (there != null && MoveRules.counts(there)) return new Inserted.Existing(there);
            switch (settled(key)) {
                case Home.Before(Seen seen) -> {
                    return new Inserted.Existing(seen);
                }
                case Home.Busy it -> {
                    return new Inserted.Busy();
                }
                case Home.Here(KeyMove.Arrived arrived, long sealToken) -> {
                    Inserted inserted = arrived == null ? insertHere(key, there, sealToken) : null;
                    if (inserted != null) return inserted;
                }
            }
        }
        throw StoreException.notApplied("The key changes faster than it can be claimed: " + key.id(), null);
    }

    /** A write of unknown fate in the store before grants nothing. */
    private Home settled(NewKey key) {
        try {
            return move.settle(key.id(), key.fingerprint());
        } catch (StoreException e) {
            throw StoreException.notApplied("The store before: " + e.getMessage(), e);
        }
    }

    /** Nobody can be granted this key but here. Null when somebody has been meanwhile, or may be. */
    private @Nullable Inserted insertHere(NewKey key, @Nullable Seen there, long sealToken) {
        if (there == null) {
            Inserted inserted = store.insert(key);
            if (inserted instanceof Inserted.Fresh(KeyRecord fresh)) return raised(fresh, sealToken);
            return inserted instanceof Inserted.Existing(Seen seen) && !MoveRules.counts(seen) ? null : inserted;
        }
        if (MoveRules.isUnfinished(there)) {
            move.restore(there);
            return null;
        }
        boolean forgotten = !MoveMark.isMark(there.record());
        if (forgotten && MoveRules.growsByItself(there, sealToken)) return new Inserted.Existing(there);
        return store.replace(there.record(), MoveRules.firstClaim(key, there, sealToken))
                        instanceof Replaced.Swapped(KeyRecord written)
                ? new Inserted.Fresh(written)
                : null;
    }

    private @Nullable Inserted raised(KeyRecord fresh, long sealToken) {
        Change higher = MoveRules.raised(fresh, sealToken);
        if (higher == null) return new Inserted.Fresh(fresh);
        return store.replace(fresh, higher) instanceof Replaced.Swapped(KeyRecord written)
                ? new Inserted.Fresh(written)
                : null;
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        Replaced here = store.replace(seen, change);
        if (here instanceof Replaced.Swapped) return here;
        if (here instanceof Replaced.Moved(Seen current) && MoveRules.counts(current)) return here;
        Seen there = before.find(seen.id());
        if (there == null || !MoveRules.counts(there)) return new Replaced.Moved(found(seen.id(), there));
        // Nobody is granted a key there by us: whoever wants it brings it here first.
        if (MoveRules.grants(change, there.record())) return new Replaced.Moved(null);
        return switch (before.replace(seen, change)) {
            case Replaced.Swapped it -> it;
            case Replaced.Moved(Seen current) -> new Replaced.Moved(found(seen.id(), current));
        };
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Seen here = store.find(id);
        return MoveRules.counts(here) ? here : found(id, before.find(id));
    }

    /** What is known of a key that was not here: as it stands in the store before, unless it has left there. */
    private @Nullable Seen found(KeyId id, @Nullable Seen there) {
        // Nothing here may be built on before the key is sealed there, not even a record that is forgotten.
        if (there == null) return null;
        if (MoveRules.isUnfinished(there)) move.settle(there);
        else if (!MoveMark.isLeft(there.record())) return MoveRules.counts(there) ? there : null;
        Seen here = store.find(id);
        return here == null || MoveMark.isMark(here.record()) ? null : here;
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        List<Seen> found = new ArrayList<>(ids.size());
        Set<KeyId> missing = new HashSet<>(ids);
        for (Seen each : store.findAll(ids)) {
            if (!MoveRules.counts(each)) continue;
            missing.remove(each.record().id());
            found.add(each);
        }
        if (missing.isEmpty()) return found;
        for (Seen each : before.findAll(missing)) if (MoveRules.counts(each)) found.add(each);
        return found;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    /** What the new store alone promises. */
    public StoreTraits traitsHere() {
        return store.traits();
    }

    /** What the store before alone promises. */
    public StoreTraits traitsBefore() {
        return before.traits();
    }

    @Override
    public @Nullable KeyIndex index() {
        return index;
    }

    @Override
    public @Nullable JoiningKeyStore joining() {
        return null;
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            before.close();
        }
    }
}
