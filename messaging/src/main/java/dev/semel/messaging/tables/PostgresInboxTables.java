package dev.semel.messaging.tables;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import javax.sql.DataSource;

/** The inbox in PostgreSQL: the same functions that any other language calls. */
public final class PostgresInboxTables implements InboxTables {
    private static final String NOTED = """
        select exists (select from semel.inbox_0 where consumer = ? and message_id = ?)
            or exists (select from semel.inbox_1 where consumer = ? and message_id = ?)
        """;

    private final PostgresSchema schema;
    private final PostgresMessagingSchema tables;

    public PostgresInboxTables() {
        this(PostgresSchema.USUAL);
    }

    public PostgresInboxTables(PostgresSchema schema) {
        this.schema = schema;
        this.tables = new PostgresMessagingSchema(schema, PostgresOutboxTables.SHARDS);
    }

    @Override
    public void migrate(DataSource database) throws SQLException {
        tables.migrate(database);
    }

    @Override
    public Set<String> firstTimes(Connection transaction, String consumer, Collection<String> messageIds)
            throws SQLException {
        try (PreparedStatement statement =
                transaction.prepareStatement(schema.in("select semel.first_times(?, ?::text[])"))) {
            new SqlArrays(transaction, statement).text(consumer).array("text", messageIds, id -> id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return Set.of((String[]) row.getArray(1).getArray());
            }
        }
    }

    @Override
    public boolean isNoted(Connection transaction, String consumer, String messageId) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(schema.in(NOTED))) {
            new SqlArrays(transaction, statement)
                    .text(consumer)
                    .text(messageId)
                    .text(consumer)
                    .text(messageId);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    @Override
    public boolean expire(Connection connection, Duration keep) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(schema.in("select semel.expire_inbox(? * interval '1 millisecond')"))) {
            new SqlArrays(connection, statement).number(keep.toMillis());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }
}
