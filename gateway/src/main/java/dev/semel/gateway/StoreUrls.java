package dev.semel.gateway;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;

/** Opens the store that a URL names. */
public final class StoreUrls {
    private StoreUrls() {}

    /** @throws IllegalArgumentException when no store goes by such a URL */
    public static KeyStore open(String url) {
        if (url.equals("memory:")) return new InMemoryKeyStore();
        if (url.startsWith("rocksdb:")) return RocksKeyStore.open(url);
        if (url.startsWith("jdbc:postgresql:")) return PostgresKeyStore.open(url);
        throw new IllegalArgumentException("No store goes by the URL '" + url
                + "'. Known are memory:, rocksdb:DIR[?durability=os] and jdbc:postgresql://HOST/DATABASE.");
    }
}
