package dev.semel.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;

/** The connections to an outbox that is named by a URL. */
public final class OutboxPool {
    /** Beginnings of URLs of databases that can have an outbox. */
    private static final List<String> KNOWN = List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:");

    private static final String MYSQL = "jdbc:mysql:";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private OutboxPool() {}

    /** Whether there are outboxes in databases with such URLs. */
    public static boolean knows(String url) {
        return KNOWN.stream().anyMatch(url::startsWith);
    }

    /**
     * Nothing here connects yet.
     *
     * @param answer how long the database may take over an answer: one that hangs must not hold a lease's renewal up for long
     */
    public static HikariDataSource open(String url, String name, int connections, Duration answer) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        // One driver speaks to both.
        config.setJdbcUrl(url.startsWith(MYSQL) ? "jdbc:mariadb:" + url.substring(MYSQL.length()) : url);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setInitializationFailTimeout(-1);
        // As text: the drivers leave out what is not.
        if (url.startsWith("jdbc:postgresql:")) {
            config.addDataSourceProperty("connectTimeout", Long.toString(PATIENCE.toSeconds()));
            config.addDataSourceProperty("socketTimeout", Long.toString(answer.toSeconds()));
            config.addDataSourceProperty("ApplicationName", name);
        } else {
            config.addDataSourceProperty("connectTimeout", Long.toString(PATIENCE.toMillis()));
            config.addDataSourceProperty("socketTimeout", Long.toString(answer.toMillis()));
            config.addDataSourceProperty("connectionAttributes", "program_name:" + name);
        }
        config.addDataSourceProperty("tcpKeepAlive", "true");
        return new HikariDataSource(config);
    }
}
