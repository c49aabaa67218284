package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A store in MariaDB 10.6 or MySQL 8.0, or later, on InnoDB.
 *
 * <p><b>Durable when a call returns</b> is what {@code innodb_flush_log_at_trx_commit} makes of it; with 1, the default, a
 * write that was answered survives a loss of power. Every call is one round trip of several statements, at the isolation
 * level "read committed".
 */
public final class MariaDbKeyStore extends JdbcKeyStore {

    public static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "MariaDB and MySQL",
                    StoreTraits.surviving(Survives.POWER_LOSS)
                            .withJoining()
                            .withLargestOutcome(MariaDbDialect.largestOutcome(16 << 20)))
            .atLeast(Survives.NOTHING, "`innodb_flush_log_at_trx_commit`")
            .withLargestBy("`max_allowed_packet`")
            .withJoiningBy("not MySQL");

    private MariaDbKeyStore(DataSource source, AutoCloseable connections, JdbcOptions options) {
        super(new MariaDbDialect(source), connections, options);
    }

    /** Opens a store with connections of its own, and with default options. */
    public static MariaDbKeyStore open(String jdbcUrl) {
        return open(jdbcUrl, JdbcOptions.DEFAULT);
    }

    /**
     * Opens a store with connections of its own, which end when it is closed, and makes or migrates its tables.
     *
     * @throws StoreException when the database cannot be reached, or does not let the tables be made
     * @throws IllegalStateException when the server is too old, or the tables are too new
     */
    public static MariaDbKeyStore open(String jdbcUrl, JdbcOptions options) {
        HikariDataSource pool = MariaDbPool.open(jdbcUrl, options);
        try {
            MariaDbMigrations.INSTANCE.run(pool);
            return new MariaDbKeyStore(pool, pool, options);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Opens a store on the caller's pool, which stays open when the store is closed. Its URL needs {@code
     * allowMultiQueries=true}, and should have a {@code socketTimeout} of a few seconds.
     *
     * @throws IllegalStateException also when the pool's connections do not take several statements at once
     */
    public static MariaDbKeyStore open(DataSource pool) {
        MariaDbMigrations.INSTANCE.run(pool);
        return new MariaDbKeyStore(pool, () -> {}, JdbcOptions.DEFAULT);
    }

    static String missing(String jdbcUrl) {
        JdbcOptions once = JdbcOptions.DEFAULT.withPoolSize(1).withConnectionTimeout(Duration.ofSeconds(10));
        try (HikariDataSource pool = MariaDbPool.open(jdbcUrl, once)) {
            return MariaDbMigrations.INSTANCE.missing(pool);
        }
    }
}
