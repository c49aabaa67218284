package dev.semel.torture.messages;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Pools of connections. */
final class Databases {
    private Databases() {}

    static HikariDataSource pool(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(5000);
        config.setInitializationFailTimeout(-1);
        // As text: the driver leaves out what is not.
        config.addDataSourceProperty("connectTimeout", "5");
        config.addDataSourceProperty("socketTimeout", "20");
        return new HikariDataSource(config);
    }
}
