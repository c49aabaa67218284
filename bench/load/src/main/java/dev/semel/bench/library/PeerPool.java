package dev.semel.bench.library;

import com.zaxxer.hikari.HikariDataSource;

/** The connections of a peer, the same for all of them. */
final class PeerPool {
    private PeerPool() {}

    static HikariDataSource open(String jdbcUrl, String connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(Integer.parseInt(connections));
        return pool;
    }
}
