package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import java.sql.SQLException;
import java.time.Duration;

/** A database for a contract. Its clock cannot be moved, so time passes by making every record older. */
record ContractDatabase(String url, KeyStore store) implements AutoCloseable {
    /** A contract is not about time-outs: on a machine that is busy with other tests, two seconds may pass by. */
    static final JdbcOptions LONG_TIMEOUTS = JdbcOptions.DEFAULT
            .withConnectionTimeout(Duration.ofSeconds(20))
            .withSocketTimeout(Duration.ofSeconds(30))
            .withStatementTimeout(Duration.ofSeconds(20));

    static ContractDatabase on(PostgresVersion version) throws SQLException {
        String url = Sql.freshDatabase(SharedServers.of(version));
        return new ContractDatabase(url, PostgresKeyStore.open(url, LONG_TIMEOUTS));
    }

    void pass(Duration time) {
        String age = "interval '" + time.toNanos() / 1000 + " microseconds'";
        try {
            Sql.on(url).execute("""
                update semel_key set since = since - $age, lease_until = lease_until - $age,
                    replay_until = replay_until - $age, forget_at = forget_at - $age,
                    doubt_since = doubt_since - $age,
                    probe_at = probe_at - $age
                """.replace("$age", age));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
