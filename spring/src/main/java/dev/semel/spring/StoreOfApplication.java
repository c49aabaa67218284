package dev.semel.spring;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.store.cassandra.CassandraKeyStore;
import dev.semel.store.dynamodb.DynamoDbKeyStore;
import dev.semel.store.jdbc.JdbcKeyStore;
import dev.semel.store.redis.RedisKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Opens the store that an application keeps its keys in. */
final class StoreOfApplication {
    private static final String KNOWN = "Known are jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE,"
        + " jdbc:mysql://HOST/DATABASE, redis://HOST, redis-sentinel://HOST,HOST#MASTER, redis-cluster://HOST,HOST,"
        + " dynamodb://REGION/TABLE, cassandra://HOST,HOST/KEYSPACE?dc=NAME, rocksdb:DIR[?durability=os] and memory:.";

    /** Stores whose artifact an application adds when it uses them. Without it, their class may be named but not touched. */
    private enum Added {
        ROCKSDB("rocksdb:", "semel-store-rocksdb", "dev.semel.store.rocksdb.RocksKeyStore") {
            @Override
            KeyStore opened(String url) {
                return RocksKeyStore.open(url);
            }
        },
        REDIS("redis", "semel-store-redis", "dev.semel.store.redis.RedisKeyStore") {
            @Override
            KeyStore opened(String url) {
                return RedisKeyStore.open(url);
            }
        },
        DYNAMODB("dynamodb:", "semel-store-dynamodb", "dev.semel.store.dynamodb.DynamoDbKeyStore") {
            @Override
            KeyStore opened(String url) {
                return DynamoDbKeyStore.open(url);
            }
        },
        CASSANDRA("cassandra:", "semel-store-cassandra", "dev.semel.store.cassandra.CassandraKeyStore") {
            @Override
            KeyStore opened(String url) {
                return CassandraKeyStore.open(url);
            }
        };

        private final String beginning;
        private final String artifact;
        private final String type;

        Added(String beginning, String artifact, String type) {
            this.beginning = beginning;
            this.artifact = artifact;
            this.type = type;
        }

        abstract KeyStore opened(String url);

        boolean isMeantBy(String url) {
            return url.startsWith(beginning);
        }

        KeyStore open(String url) {
            if (ClassUtils.isPresent(type, StoreOfApplication.class.getClassLoader())) return opened(url);
            throw new OnceMisuseException(
                    "semel.store begins with " + beginning + ", which needs the dependency " + artifact + ".");
        }
    }

    private StoreOfApplication() {}

    static KeyStore open(@Nullable String url, @Nullable DataSource source) {
        if (url != null && !url.isBlank()) return open(url);
        if (source == null)
            throw new OnceMisuseException(
                    "Semel has no store: set semel.store, or give the application a DataSource. " + KNOWN);
        try {
            return JdbcKeyStore.open(source);
        } catch (IllegalArgumentException e) {
            throw new OnceMisuseException("No keys can be kept in the database of the application's DataSource. Set"
                    + " semel.store to keep them elsewhere. " + e.getMessage());
        }
    }

    private static KeyStore open(String url) {
        try {
            if (url.equals("memory:")) return new InMemoryKeyStore();
            if (url.startsWith("jdbc:")) return JdbcKeyStore.open(url);
            for (Added each : Added.values()) if (each.isMeantBy(url)) return each.open(url);
        } catch (IllegalArgumentException e) {
            throw new OnceMisuseException("semel.store is no URL of a store: " + e.getMessage());
        }
        throw new OnceMisuseException("semel.store is no URL of a store. " + KNOWN);
    }
}
