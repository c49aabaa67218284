package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The databases that messages can be kept in, told apart by the URL of their connections. */
public enum MessagingDatabase {
    POSTGRESQL,
    MARIADB;

    /** @throws IllegalStateException when it is another one */
    public static MessagingDatabase of(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return of(connection.getMetaData().getURL());
        }
    }

    static MessagingDatabase of(String url) {
        if (url.startsWith("jdbc:postgresql:")) return POSTGRESQL;
        if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) return MARIADB;
        throw new IllegalStateException("There is no outbox and no inbox for this kind of database ("
                + url.replaceAll("[?;/].*", "") + "); PostgreSQL, MariaDB and MySQL have them.");
    }

    public OutboxTables outbox() {
        return switch (this) {
            case POSTGRESQL -> new PostgresOutboxTables();
            case MARIADB -> new MariaDbOutboxTables();
        };
    }

    public InboxTables inbox() {
        return switch (this) {
            case POSTGRESQL -> new PostgresInboxTables();
            case MARIADB -> new MariaDbInboxTables();
        };
    }
}
