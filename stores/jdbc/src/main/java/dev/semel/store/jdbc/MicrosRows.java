package dev.semel.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Rows whose times are microseconds since 1970, and whose text is its UTF-8: no session's settings change them. */
final class MicrosRows extends KeyRows {
    static final MicrosRows INSTANCE = new MicrosRows();

    private MicrosRows() {}

    @Override
    @Nullable
    Instant instantOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    String text(ResultSet row, String column) throws SQLException {
        return new String(row.getBytes(column), StandardCharsets.UTF_8);
    }

    @Override
    String keyColumn() {
        return "client_key";
    }
}
