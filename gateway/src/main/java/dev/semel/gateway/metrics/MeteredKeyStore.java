package dev.semel.gateway.metrics;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.GroupCommits;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreLife;
import dev.semel.gateway.metrics.StoreMeters.Call;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store whose calls are timed, and whose sweep is watched. In all else the store behind it, which it owns. */
final class MeteredKeyStore implements KeyStore {
    private final KeyStore store;
    private final StoreMeters meters;
    private final SweepProgress sweep;

    MeteredKeyStore(KeyStore store, StoreMeters meters, SweepProgress sweep) {
        this.store = store;
        this.meters = meters;
        this.sweep = sweep;
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
        return timed(Call.INSERT, () -> store.insert(key));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return timed(Call.REPLACE, () -> store.replace(seen, change));
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return timed(Call.FIND, () -> store.find(id));
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return timed(Call.FIND_ALL, () -> store.findAll(ids));
    }

    @Override
    public Listing.Page list(Listing listing) {
        return timed(Call.LIST, () -> store.list(listing));
    }

    @Override
    public long count(String tenant, long upTo) {
        return timed(Call.COUNT, () -> store.count(tenant, upTo));
    }

    @Override
    public Swept purge(int limit) {
        try {
            Swept step = timed(Call.PURGE, () -> store.sweep(limit));
            sweep.stepped(step);
            return step;
        } finally {
            sweep.checkLag();
        }
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
