package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A store in PostgreSQL 14 or later.
 *
 * <p><b>Durable when a call returns</b> is what the server's {@code synchronous_commit} makes of it; with {@code on}, the
 * default, a write that was answered survives a crash of the server. Every call is one statement at the isolation level
 * "read committed".
 *
 * <p>Works behind PgBouncer in transaction mode. A PgBouncer that does not know prepared statements needs
 * {@code prepareThreshold=0} in the URL.
 */
public final class PostgresKeyStore extends JdbcKeyStore {

    public static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "PostgreSQL", StoreTraits.surviving(Survives.POWER_LOSS).withJoining())
            .atLeast(Survives.NOTHING, "`synchronous_commit`, `fsync` and `full_page_writes`");

    private PostgresKeyStore(DataSource source, AutoCloseable connections, JdbcOptions options) {
        super(new PostgresDialect(source, options), connections, options);
    }

    /** Opens a store with connections of its own, and with default options. */
    public static PostgresKeyStore open(String jdbcUrl) {
        return open(jdbcUrl, JdbcOptions.DEFAULT);
    }

    /**
     * Opens a store with connections of its own, which end when it is closed, and makes or migrates its tables.
     *
     * @throws StoreException when the database cannot be reached, or does not let the tables be made
     * @throws IllegalStateException when the server is too old, or the tables are too new
     */
    public static PostgresKeyStore open(String jdbcUrl, JdbcOptions options) {
        HikariDataSource pool = PostgresPool.open(jdbcUrl, options);
        try {
            PostgresMigrations.INSTANCE.run(pool);
            return new PostgresKeyStore(pool, pool, options);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Opens a store on the caller's pool, which stays open when the store is closed. The pool's connections should have a
     * socket timeout, longer than the {@linkplain JdbcOptions#statementTimeout() statement timeout}.
     */
    public static PostgresKeyStore open(DataSource pool) {
        PostgresMigrations.INSTANCE.run(pool);
        return new PostgresKeyStore(pool, () -> {}, JdbcOptions.DEFAULT);
    }

    static String missing(String jdbcUrl) {
        JdbcOptions once = JdbcOptions.DEFAULT.withPoolSize(1).withConnectionTimeout(Duration.ofSeconds(10));
        try (HikariDataSource pool = PostgresPool.open(jdbcUrl, once)) {
            return PostgresMigrations.INSTANCE.missing(pool);
        }
    }
}
