package dev.semel.store.jdbc;

import dev.semel.core.store.KeyStore;
import java.sql.SQLException;
import java.time.Duration;

/** A database for a contract, with times in microseconds. Its clock cannot be moved, so time passes by making every record older. */
record MicrosDatabase(String url, KeyStore store) {

    void pass(Duration time) {
        String age = Long.toString(time.toNanos() / 1000);
        try {
            Sql.on(url).execute("""
                update semel_key set since = since - $age, lease_until = lease_until - $age,
                    replay_until = replay_until - $age, forget_at = forget_at - $age,
                    doubt_since = doubt_since - $age, probe_at = probe_at - $age
                """.replace("$age", age));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
