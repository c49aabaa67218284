package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** The store's own connections, when it is opened by an URL. */
final class PostgresPool {
    private static final long ONE_SECOND = 1000;

    private PostgresPool() {}

    /** Nothing here connects yet. What the URL itself says about the driver's settings wins. */
    static HikariDataSource open(String jdbcUrl, JdbcOptions options) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel-postgres");
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(options.poolSize());
        config.setConnectionTimeout(options.connectionTimeout().toMillis());
        config.setValidationTimeout(
                Math.min(ONE_SECOND, options.connectionTimeout().toMillis()));
        config.setInitializationFailTimeout(-1);
        // As text: the driver leaves out what is not, and would then wait for ever.
        config.addDataSourceProperty("connectTimeout", seconds(options.connectionTimeout()));
        config.addDataSourceProperty("socketTimeout", seconds(options.socketTimeout()));
        // One thread of the driver sends all cancellations, one after the other, and each statement waits for its own.
        config.addDataSourceProperty("cancelSignalTimeout", "1");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("ApplicationName", "semel");
        return new HikariDataSource(config);
    }

    private static String seconds(Duration time) {
        return Long.toString(Math.max(1, time.toSeconds()));
    }
}
