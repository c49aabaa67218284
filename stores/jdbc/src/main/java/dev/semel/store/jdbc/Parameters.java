package dev.semel.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Fills the parameters of a statement from left to right. */
final class Parameters {
    private final PreparedStatement statement;
    private int filled;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    Parameters bytes(byte @Nullable [] value) throws SQLException {
        statement.setBytes(++filled, value);
        return this;
    }

    Parameters text(@Nullable String value) throws SQLException {
        statement.setString(++filled, value);
        return this;
    }

    Parameters numberOrNull(@Nullable Integer value) throws SQLException {
        if (value == null) statement.setNull(++filled, Types.INTEGER);
        else statement.setInt(++filled, value);
        return this;
    }

    Parameters number(long value) throws SQLException {
        statement.setLong(++filled, value);
        return this;
    }

    Parameters flag(boolean value) throws SQLException {
        statement.setBoolean(++filled, value);
        return this;
    }

    Parameters array(String type, Object[] values) throws SQLException {
        statement.setArray(++filled, statement.getConnection().createArrayOf(type, values));
        return this;
    }

    Parameters instant(@Nullable Instant value) throws SQLException {
        statement.setObject(
                ++filled, value == null ? null : value.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
        return this;
    }

    /** In microseconds, which is what the database counts in; rounded up, so that nothing ends before its time. */
    Parameters duration(@Nullable Duration value) throws SQLException {
        if (value == null) statement.setNull(++filled, Types.BIGINT);
        else statement.setLong(++filled, TimeUnit.MICROSECONDS.convert(value.plusNanos(999)));
        return this;
    }
}
