package dev.semel.gateway;

import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.move.DualReadKeyStore;
import dev.semel.core.move.Migration;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.gateway.config.StoreUrl;
import dev.semel.gateway.wire.StrictConnections;
import dev.semel.http.ResponseCodec;
import dev.semel.seal.SealedKeyStore;
import dev.semel.store.cassandra.CassandraKeyStore;
import dev.semel.store.dynamodb.DynamoDbKeyStore;
import dev.semel.store.jdbc.JdbcKeyStore;
import dev.semel.store.jdbc.MariaDbKeyStore;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.store.redis.RedisKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.util.List;

/** Opens the store that a URL names. */
public final class StoreUrls {
    static {
        // Drivers start Netty too, and it looks for its extensions only once: a gateway would close every connection.
        StrictConnections.enable();
    }

    /** What each kind of store that a gateway can have declares. */
    public static final List<DeclaredTraits> DECLARED = List.of(
            RocksKeyStore.DECLARED,
            PostgresKeyStore.DECLARED,
            MariaDbKeyStore.DECLARED,
            RedisKeyStore.DECLARED,
            DynamoDbKeyStore.DECLARED,
            CassandraKeyStore.DECLARED,
            InMemoryKeyStore.DECLARED);

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

    /**
     * Opens a store, and the one that was used before it, whose keys it takes over one by one.
     *
     * @throws IllegalStateException when their clocks differ too much
     * @throws StoreException when one of them does not answer
     */
    public static KeyStore moving(KeyStore store, KeyStore before) {
        return DualReadKeyStore.of(store, before, StoreUrls::withoutBody);
    }

    /** Copies all keys of one store into another. */
    public static Migration migration(KeyStore from, KeyStore to) {
        return Migration.of(from, to, StoreUrls::withoutBody);
    }

    /** A response keeps its status and headers; an encrypted one its status; anything else what it has in the clear. */
    private static Outcome withoutBody(Outcome outcome) {
        Outcome opened = SealedKeyStore.clearPart(outcome);
        return opened.isShredded() ? opened : ResponseCodec.withoutBody(opened);
    }

    /**
     * What the store of this URL will promise, as far as that can be told before it is opened.
     *
     * @throws IllegalArgumentException as {@link #open}
     */
    public static DeclaredTraits declared(String url) {
        return switch (StoreUrl.kind(url)) {
            case MEMORY -> InMemoryKeyStore.DECLARED;
            case ROCKSDB -> RocksKeyStore.declared(url);
            case JDBC -> JdbcKeyStore.declared(url);
            case REDIS -> RedisKeyStore.declared(url);
            case DYNAMODB -> DynamoDbKeyStore.declared(url);
            case CASSANDRA -> CassandraKeyStore.declared(url);
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
