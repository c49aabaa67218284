package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What messages are kept with in a database, which is told by the URL of its connections. */
public record MessagingDatabase(OutboxTables outbox, InboxTables inbox) {

    /** @throws IllegalStateException when it is of a kind that is not known */
    public static MessagingDatabase of(DataSource database) throws SQLException {
        return of(database, PostgresSchema.USUAL);
    }

    /** The same, in this schema: one that is not the usual one is only in PostgreSQL. */
    public static MessagingDatabase of(DataSource database, PostgresSchema schema) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return of(connection.getMetaData().getURL(), schema);
        }
    }

    private static MessagingDatabase of(String url, PostgresSchema schema) {
        if (url.startsWith("jdbc:postgresql:"))
            return new MessagingDatabase(new PostgresOutboxTables(schema), new PostgresInboxTables(schema));
        boolean isMariaDb = url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:");
        if (isMariaDb && schema.equals(PostgresSchema.USUAL))
            return new MessagingDatabase(new MariaDbOutboxTables(), new MariaDbInboxTables());
        if (isMariaDb)
            throw new IllegalStateException(
                    "Only PostgreSQL has messages in more than one schema; in MariaDB and MySQL use another database.");
        throw new IllegalStateException("There is no outbox and no inbox for this kind of database ("
                + url.replaceAll("[?;/].*", "") + "); PostgreSQL, MariaDB and MySQL have them.");
    }
}
