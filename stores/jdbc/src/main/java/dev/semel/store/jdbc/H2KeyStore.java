package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import javax.sql.DataSource;

/**
 * A store in H2 2.1 or later, for unit tests of programs whose store is another database. What it has answered may not
 * survive the end of the process, also with a database in a file.
 */
public final class H2KeyStore extends JdbcKeyStore {

    public static final DeclaredTraits DECLARED = DeclaredTraits.always("H2", StoreTraits.surviving(Survives.NOTHING));

    private H2KeyStore(DataSource source, AutoCloseable connections) {
        super(new H2Dialect(source, JdbcOptions.DEFAULT), connections, JdbcOptions.DEFAULT);
    }

    /**
     * Opens a store with connections of its own, which end when it is closed, and makes its tables. A database in memory
     * ends with its last connection.
     *
     * @throws StoreException when the database cannot be opened
     */
    public static H2KeyStore open(String jdbcUrl) {
        HikariDataSource pool = pool(jdbcUrl);
        try {
            H2Migrations.INSTANCE.run(pool);
            return new H2KeyStore(pool, pool);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /** Opens a store on the caller's pool, which stays open when the store is closed. */
    public static H2KeyStore open(DataSource pool) {
        H2Migrations.INSTANCE.run(pool);
        return new H2KeyStore(pool, () -> {});
    }

    static String missing(String jdbcUrl) {
        try (HikariDataSource pool = pool(jdbcUrl)) {
            return H2Migrations.INSTANCE.missing(pool);
        }
    }

    private static HikariDataSource pool(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel-h2");
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(JdbcOptions.DEFAULT.poolSize());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }
}
