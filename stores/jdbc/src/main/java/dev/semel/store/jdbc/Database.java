package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The databases that a store can be in, by what a URL begins with. */
enum Database {
    POSTGRESQL,
    /** MySQL too: it is spoken to by the same driver. */
    MARIADB,
    H2;

    static Database of(DataSource pool) {
        try (Connection connection = pool.getConnection()) {
            return of(connection.getMetaData().getURL());
        } catch (SQLException e) {
            throw StoreException.notApplied("No connection to the database: " + SqlFailures.ofConnecting(e), e);
        }
    }

    static Database of(String jdbcUrl) {
        if (jdbcUrl.startsWith("jdbc:postgresql:")) return POSTGRESQL;
        if (jdbcUrl.startsWith("jdbc:mariadb:") || jdbcUrl.startsWith("jdbc:mysql:")) return MARIADB;
        if (jdbcUrl.startsWith("jdbc:h2:")) return H2;
        throw new IllegalArgumentException("No store is kept in a database with such a URL; it begins with"
                + " jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql: or jdbc:h2:.");
    }
}
