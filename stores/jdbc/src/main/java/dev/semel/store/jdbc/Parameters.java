package dev.semel.store.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.function.Function;
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

    /** Text as its UTF-8. */
    Parameters utf8(@Nullable String value) throws SQLException {
        return bytes(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    Parameters numberOrNull(@Nullable Long value) throws SQLException {
        if (value == null) statement.setNull(++filled, Types.BIGINT);
        else statement.setLong(++filled, value);
        return this;
    }

    Parameters number(long value) throws SQLException {
        statement.setLong(++filled, value);
        return this;
    }

    Parameters array(String type, Object[] values) throws SQLException {
        statement.setArray(++filled, statement.getConnection().createArrayOf(type, values));
        return this;
    }

    /** One value per row, and so are the others that follow; null for a row that has none. */
    <T> Parameters bytes(List<T> rows, Function<T, byte @Nullable []> column) throws SQLException {
        return array("bytea", column(rows, column, new byte[rows.size()][]));
    }

    <T> Parameters texts(List<T> rows, Function<T, @Nullable String> column) throws SQLException {
        return array("text", column(rows, column, new String[rows.size()]));
    }

    <T> Parameters numbers(List<T> rows, Function<T, @Nullable Long> column) throws SQLException {
        return array("int8", column(rows, column, new Long[rows.size()]));
    }

    <T> Parameters integers(List<T> rows, Function<T, @Nullable Integer> column) throws SQLException {
        return array("int4", column(rows, column, new Integer[rows.size()]));
    }

    private static <T, V> V[] column(List<T> rows, Function<T, ? extends @Nullable V> column, V[] values) {
        for (int i = 0; i < values.length; i++) values[i] = column.apply(rows.get(i));
        return values;
    }
}
