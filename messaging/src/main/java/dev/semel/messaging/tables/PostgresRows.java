package dev.semel.messaging.tables;

import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Messages as PostgreSQL tells them. */
final class PostgresRows {
    private PostgresRows() {}

    /** A row of the outbox, which nobody has tried yet. */
    static OutboxRow read(ResultSet row) throws SQLException {
        return new OutboxRow(row.getInt("shard"), row.getLong("id"), row.getBoolean("behind_parked"), 0, message(row));
    }

    static OutboxRow letter(ResultSet row) throws SQLException {
        return new OutboxRow(row.getInt("shard"), row.getLong("id"), false, row.getInt("attempts"), message(row));
    }

    private static OutgoingMessage message(ResultSet row) throws SQLException {
        return new OutgoingMessage(
                row.getObject("message_id", UUID.class),
                row.getString("topic"),
                row.getString("key"),
                row.getString("type"),
                HeaderLines.parse(row.getString("headers")),
                row.getBytes("payload"),
                row.getObject("appended_at", OffsetDateTime.class).toInstant());
    }
}
