package dev.semel.gateway;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.gateway.config.StoreUrl;
import dev.semel.store.cassandra.CassandraKeyStore;
import dev.semel.store.dynamodb.DynamoDbKeyStore;
import dev.semel.store.jdbc.JdbcKeyStore;
import dev.semel.store.redis.RedisKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;

/** Opens the store that a URL names. */
public final class StoreUrls {
    private StoreUrls() {}

    /**
     * Opens a store.
     *
     * @throws IllegalArgumentException when no store goes by such a URL
     * @throws IllegalStateException when what the URL names cannot be used as it is set up
     * @throws StoreException when the store does not answer
     */
    public static KeyStore open(String url) {
        return switch (StoreUrl.kind(url)) {
            case MEMORY -> new InMemoryKeyStore();
            case ROCKSDB -> RocksKeyStore.open(url);
            case JDBC -> JdbcKeyStore.open(url);
            case REDIS -> RedisKeyStore.open(url);
            case DYNAMODB -> DynamoDbKeyStore.open(url);
            case CASSANDRA -> CassandraKeyStore.open(url);
        };
    }

    /** What opening it would run to make or change its tables; empty where nothing is missing, or there are none to make. */
    public static String missingTables(String url) {
        return switch (StoreUrl.kind(url)) {
            case JDBC -> JdbcKeyStore.missingSql(url);
            case CASSANDRA -> CassandraKeyStore.missingCql(url);
            case MEMORY, ROCKSDB, REDIS, DYNAMODB -> "";
        };
    }

    /** Whether a store could not be opened because its server does not take connections, or does not do so yet. */
    public static boolean isUnreachable(String url, StoreException failure) {
        return switch (StoreUrl.kind(url)) {
            case JDBC -> JdbcKeyStore.isUnreachable(failure);
            case CASSANDRA -> CassandraKeyStore.isUnreachable(failure);
            case DYNAMODB -> DynamoDbKeyStore.isUnreachable(failure);
            case REDIS -> RedisKeyStore.isUnreachable(failure);
            case MEMORY, ROCKSDB -> false;
        };
    }
}
