package dev.semel.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/**
 * The application's own DataSource, when the keys are in its database. Never one that takes part in transactions of whoever
 * asks: keys are written on connections of their own.
 *
 * @param source null when {@code semel.store} names another store
 * @param lacking why there is none, when there should be one
 */
record KeyDataSource(@Nullable DataSource source, @Nullable String lacking) {
    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
            KeyDataSource.class.getClassLoader());

    static KeyDataSource of(@Nullable DataSource source) {
        return new KeyDataSource(source == null ? null : plain(source), null);
    }

    static DataSource plain(DataSource source) {
        return SPRING_JDBC ? Proxies.target(source) : source;
    }

    private static final class Proxies {
        static DataSource target(DataSource source) {
            DataSource target =
                    source instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
            return target != null ? target : source;
        }
    }
}
