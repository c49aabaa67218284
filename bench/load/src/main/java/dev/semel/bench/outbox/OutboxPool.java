package dev.semel.bench.outbox;

import com.zaxxer.hikari.HikariDataSource;

/** The connections of an application with an outbox. */
final class OutboxPool {
    private OutboxPool() {}

    static HikariDataSource open(String jdbcUrl, String connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(Integer.parseInt(connections));
        return pool;
    }
}
