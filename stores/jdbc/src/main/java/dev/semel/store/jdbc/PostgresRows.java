package dev.semel.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Rows of PostgreSQL, whose times are times with a zone. */
final class PostgresRows extends KeyRows {
    static final PostgresRows INSTANCE = new PostgresRows();

    private PostgresRows() {}

    @Override
    @Nullable
    Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    @Override
    String text(ResultSet row, String column) throws SQLException {
        return row.getString(column);
    }
}
