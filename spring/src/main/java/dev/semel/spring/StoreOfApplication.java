package dev.semel.spring;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Opens the store that an application keeps its keys in. */
final class StoreOfApplication {
    private static final String ROCKSDB = "dev.semel.store.rocksdb.RocksKeyStore";

    private StoreOfApplication() {}

    static KeyStore open(@Nullable String url, @Nullable DataSource source) {
        if (url != null && !url.isBlank()) return open(url);
        if (source == null)
            throw new OnceMisuseException(
                    "Semel has no store: set semel.store (jdbc:postgresql://…, rocksdb:DIR or memory:), or give the"
                            + " application a DataSource.");
        requirePostgres(source);
        return PostgresKeyStore.open(source);
    }

    private static KeyStore open(String url) {
        if (url.equals("memory:")) return new InMemoryKeyStore();
        if (url.startsWith("jdbc:postgresql:")) return PostgresKeyStore.open(url);
        if (!url.startsWith("rocksdb:"))
            throw new OnceMisuseException(
                    "semel.store is no store URL. Known are memory:, rocksdb:DIR[?durability=os] and"
                            + " jdbc:postgresql://HOST/DATABASE.");
        if (!ClassUtils.isPresent(ROCKSDB, StoreOfApplication.class.getClassLoader()))
            throw new OnceMisuseException("semel.store is a RocksDB, which needs the dependency semel-store-rocksdb.");
        return RocksKeyStore.open(url);
    }

    private static void requirePostgres(DataSource source) {
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!"PostgreSQL".equals(product))
                throw new OnceMisuseException("The application's DataSource is " + product
                        + ", and keys can be kept in PostgreSQL. Set semel.store to keep them elsewhere.");
        } catch (SQLException e) {
            throw new IllegalStateException("The database of the application cannot be reached: " + e.getMessage(), e);
        }
    }
}
