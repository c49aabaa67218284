package dev.semel.testkit;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyIndex;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that fails as planned: before the write is applied, or after it, when only the answer is lost. Everything that
 * is not planned goes to the real store behind it.
 */
public final class FlakyKeyStore extends ForwardingKeyStore {

    /** How the next call fails. */
    public enum Fault {
        /** Refused: nothing is written, and the caller is told so. */
        REFUSED,
        /** Nothing is written, but the caller cannot know. */
        LOST_BEFORE,
        /** Written, and the caller cannot know. */
        LOST_AFTER,
        /** No fault: lets one call through, for plans that start later. */
        NONE
    }

    private final Deque<Fault> writes = new ArrayDeque<>();
    private final Deque<Fault> reads = new ArrayDeque<>();
    private volatile boolean down;
    private volatile Runnable whenLost = () -> {};

    public FlakyKeyStore(KeyStore store) {
        super(store);
    }

    /** The next inserts and replaces fail like this, in this order. */
    public synchronized FlakyKeyStore failWrites(Fault... faults) {
        writes.addAll(List.of(faults));
        return this;
    }

    /** The next finds and counts fail like this, in this order. */
    public synchronized FlakyKeyStore failReads(Fault... faults) {
        reads.addAll(List.of(faults));
        return this;
    }

    /** Forgets all faults that were planned and have not come yet. */
    public synchronized FlakyKeyStore forget() {
        writes.clear();
        reads.clear();
        return this;
    }

    /** What happens while the answer of a call is lost, such as that time passes. */
    public FlakyKeyStore whenLost(Runnable happens) {
        this.whenLost = happens;
        return this;
    }

    /** While down, every call is refused. */
    public void down(boolean down) {
        this.down = down;
    }

    private synchronized Fault next(Deque<Fault> plan) {
        if (down) return Fault.REFUSED;
        Fault fault = plan.poll();
        return fault == null ? Fault.NONE : fault;
    }

    private <A> A call(Deque<Fault> plan, Supplier<A> call) {
        return switch (next(plan)) {
            case REFUSED -> throw StoreException.notApplied("planned: refused", null);
            case LOST_BEFORE -> throw StoreException.unknown("planned: lost on the way there", null);
            case LOST_AFTER -> {
                A lost = call.get();
                whenLost.run();
                throw StoreException.unknown("planned: lost on the way back: " + lost, null);
            }
            case NONE -> call.get();
        };
    }

    @Override
    public Inserted insert(NewKey key) {
        return call(writes, () -> behind().insert(key));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return call(writes, () -> behind().replace(seen, change));
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return this.<List<Seen>>call(reads, () -> findAll(behind(), id)).stream()
                .findFirst()
                .orElse(null);
    }

    private static List<Seen> findAll(KeyStore store, KeyId id) {
        Seen seen = store.find(id);
        return seen == null ? List.of() : List.of(seen);
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return call(reads, () -> behind().findAll(ids));
    }

    @Override
    public @Nullable KeyIndex index() {
        KeyIndex index = behind().index();
        return index == null
                ? null
                : new ForwardingKeyIndex(index) {
                    @Override
                    public long count(String tenant, long upTo) {
                        return call(reads, () -> super.count(tenant, upTo));
                    }
                };
    }
}
