package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The store's own connections, when it is opened by an URL. */
final class MariaDbPool {
    private static final String MYSQL = "jdbc:mysql:";
    private static final long ONE_SECOND = 1000;

    private MariaDbPool() {}

    /** Nothing here connects yet. What the URL itself says about the driver's settings wins. */
    static HikariDataSource open(String jdbcUrl, JdbcOptions options) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel-mariadb");
        // One driver speaks to both.
        config.setJdbcUrl(jdbcUrl.startsWith(MYSQL) ? "jdbc:mariadb:" + jdbcUrl.substring(MYSQL.length()) : jdbcUrl);
        config.setMaximumPoolSize(options.poolSize());
        config.setConnectionTimeout(options.connectionTimeout().toMillis());
        config.setValidationTimeout(
                Math.min(ONE_SECOND, options.connectionTimeout().toMillis()));
        config.setInitializationFailTimeout(-1);
        config.addDataSourceProperty("allowMultiQueries", "true");
        config.addDataSourceProperty(
                "connectTimeout", Long.toString(options.connectionTimeout().toMillis()));
        config.addDataSourceProperty(
                "socketTimeout", Long.toString(options.socketTimeout().toMillis()));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        // A row of a caller's own transaction holds nobody up for long.
        config.addDataSourceProperty(
                "sessionVariables",
                "innodb_lock_wait_timeout="
                        + Math.max(1, options.statementTimeout().toSeconds() / 2));
        return new HikariDataSource(config);
    }
}
