package dev.semel.messaging.tables;

import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/** Messages as MariaDB tells them. */
final class MariaDbRows {
    /** Of a table of this name, whatever it holds. */
    static final String MESSAGE = "appended_at, message_id, topic, message_key, type, headers, payload";

    private MariaDbRows() {}

    /** A row of the outbox, which nobody has tried yet. */
    static OutboxRow read(ResultSet row) throws SQLException {
        return new OutboxRow(row.getInt("shard"), row.getLong("id"), row.getBoolean("behind_parked"), 0, message(row));
    }

    static OutboxRow letter(ResultSet row) throws SQLException {
        return new OutboxRow(row.getInt("shard"), row.getLong("id"), false, row.getInt("attempts"), message(row));
    }

    static OutgoingMessage message(ResultSet row) throws SQLException {
        return new OutgoingMessage(
                MariaDbStatement.uuid(row.getBytes("message_id")),
                required(MariaDbStatement.text(row, "topic")),
                MariaDbStatement.text(row, "message_key"),
                required(MariaDbStatement.text(row, "type")),
                HeaderLines.parse(MariaDbStatement.text(row, "headers")),
                row.getBytes("payload"),
                required(MariaDbStatement.instant(row, "appended_at")));
    }

    /** What a column that is not null has. */
    static <T> T required(@org.jspecify.annotations.Nullable T value) {
        return Objects.requireNonNull(value);
    }
}
