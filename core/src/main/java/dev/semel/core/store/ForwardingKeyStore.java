package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store in front of another, which it owns: every call goes on as it is. Whoever changes something about a store
 * overrides just that, and forgets nothing.
 */
public class ForwardingKeyStore implements KeyStore {
    private final KeyStore store;

    protected ForwardingKeyStore(KeyStore store) {
        this.store = store;
    }

    /** The store behind. */
    protected final KeyStore behind() {
        return store;
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
    public Instant now() {
        return store.now();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public @Nullable KeyIndex index() {
        return store.index();
    }

    @Override
    public @Nullable JoiningKeyStore joining() {
        return store.joining();
    }

    @Override
    public @Nullable KeyNews news() {
        return store.news();
    }

    @Override
    public void close() {
        store.close();
    }
}
