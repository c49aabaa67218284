package dev.semel.gateway;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.gateway.config.StoreUrl;
import dev.semel.store.jdbc.JdbcKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;

/** Opens the store that a URL names. */
public final class StoreUrls {
    private StoreUrls() {}

    /** @throws IllegalArgumentException when no store goes by such a URL */
    public static KeyStore open(String url) {
        StoreUrl.checked(url);
        if (url.equals("memory:")) return new InMemoryKeyStore();
        return url.startsWith("rocksdb:") ? RocksKeyStore.open(url) : JdbcKeyStore.open(url);
    }
}
