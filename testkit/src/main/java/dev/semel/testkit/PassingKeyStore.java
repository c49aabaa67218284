package dev.semel.testkit;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreLife;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes everything on to another store, for those that change one thing. As safe for threads as that store is. */
public class PassingKeyStore implements KeyStore {
    /** The one that everything is passed on to. */
    protected final KeyStore store;

    public PassingKeyStore(KeyStore store) {
        this.store = store;
    }

    @Override
    public Inserted insert(NewKey key) {
        return store.insert(key);
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        return store.replace(seen, change);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return store.find(id);
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return store.findAll(ids);
    }

    @Override
    public Listing.Page list(Listing listing) {
        return store.list(listing);
    }

    @Override
    public long count(String tenant, long upTo) {
        return store.count(tenant, upTo);
    }

    @Override
    public Purged purge(int limit) {
        return store.purge(limit);
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
