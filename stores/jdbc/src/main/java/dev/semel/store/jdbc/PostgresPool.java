package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The store's own connections, when it is opened by an URL. */
final class PostgresPool {
    private PostgresPool() {}

    /** Nothing here connects yet. What the URL itself says about the driver's settings wins. */
    static HikariDataSource open(String jdbcUrl, PostgresOptions options) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel-postgres");
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(options.poolSize());
        config.setConnectionTimeout(options.connectionTimeout().toMillis());
        config.setValidationTimeout(options.connectionTimeout().toMillis());
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty(
                "connectTimeout", Math.max(1, options.connectionTimeout().toSeconds()));
        config.addDataSourceProperty("socketTimeout", options.socketTimeout().toSeconds());
        config.addDataSourceProperty("tcpKeepAlive", true);
        config.addDataSourceProperty("ApplicationName", "semel");
        return new HikariDataSource(config);
    }
}
