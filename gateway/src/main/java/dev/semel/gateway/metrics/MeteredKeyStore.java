package dev.semel.gateway.metrics;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyIndex;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.GroupCommits;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.gateway.metrics.StoreMeters.Call;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store whose calls are timed, and whose sweep is watched. */
final class MeteredKeyStore extends ForwardingKeyStore {
    private final StoreMeters meters;
    private final @Nullable KeyIndex index;

    MeteredKeyStore(KeyStore store, StoreMeters meters, SweepProgress sweep) {
        super(store);
        this.meters = meters;
        this.index = store.index() == null ? null : new MeteredIndex(store.index(), sweep);
        if (store instanceof GroupCommits commits) commits.onCommit(meters::committed);
    }

    private <T extends @Nullable Object> T timed(Call call, Supplier<T> work) {
        long began = System.nanoTime();
        try {
            return work.get();
        } catch (RuntimeException e) {
            meters.failed(call);
            throw e;
        } finally {
            meters.took(call, System.nanoTime() - began);
        }
    }

    @Override
    public Inserted insert(NewKey key) {
        return timed(Call.INSERT, () -> super.insert(key));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return timed(Call.REPLACE, () -> super.replace(seen, change));
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return timed(Call.FIND, () -> super.find(id));
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return timed(Call.FIND_ALL, () -> super.findAll(ids));
    }

    @Override
    public @Nullable KeyIndex index() {
        return index;
    }

    private final class MeteredIndex extends ForwardingKeyIndex {
        private final SweepProgress sweep;

        MeteredIndex(KeyIndex index, SweepProgress sweep) {
            super(index);
            this.sweep = sweep;
        }

        @Override
        public Listing.Page list(Listing listing) {
            return timed(Call.LIST, () -> super.list(listing));
        }

        @Override
        public long count(String tenant, long upTo) {
            return timed(Call.COUNT, () -> super.count(tenant, upTo));
        }

        @Override
        public Swept sweep(int limit) {
            try {
                Swept step = timed(Call.SWEEP, () -> super.sweep(limit));
                sweep.stepped(step);
                return step;
            } finally {
                sweep.checkLag();
            }
        }
    }
}
