package dev.semel.messaging.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A statement put together from parts, each with its parameters. Text goes as its UTF-8, and times as microseconds. */
final class MariaDbStatement {
    /** The time of the database: by UTC, for local time goes back by an hour once a year. */
    static final String NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";

    private final StringBuilder sql = new StringBuilder();
    private final List<@Nullable Object> parameters = new ArrayList<>();

    MariaDbStatement(String part, @Nullable Object... values) {
        add(part, values);
    }

    MariaDbStatement add(String part, @Nullable Object... values) {
        sql.append(part);
        parameters.addAll(Arrays.asList(values));
        return this;
    }

    /** A parameter for each, with commas between, and in brackets. */
    MariaDbStatement list(Collection<?> values) {
        sql.append('(')
                .append(String.join(", ", Collections.nCopies(values.size(), "?")))
                .append(')');
        parameters.addAll(values);
        return this;
    }

    /** What is made of a row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    <T> List<T> query(Connection connection, Row<T> row) throws SQLException {
        try (PreparedStatement statement = prepared(connection);
                ResultSet rows = statement.executeQuery()) {
            List<T> read = new ArrayList<>();
            while (rows.next()) read.add(row.read(rows));
            return read;
        }
    }

    long number(Connection connection) throws SQLException {
        return query(connection, row -> row.getLong(1)).getFirst();
    }

    /** @return how many rows */
    int update(Connection connection) throws SQLException {
        try (PreparedStatement statement = prepared(connection)) {
            return statement.executeUpdate();
        }
    }

    /** The number that auto_increment has given. */
    long insert(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                filled(connection.prepareStatement(sql.toString(), PreparedStatement.RETURN_GENERATED_KEYS))) {
            statement.executeUpdate();
            try (ResultSet keys = statement.getGeneratedKeys()) {
                keys.next();
                return keys.getLong(1);
            }
        }
    }

    private PreparedStatement prepared(Connection connection) throws SQLException {
        return filled(connection.prepareStatement(sql.toString()));
    }

    private PreparedStatement filled(PreparedStatement statement) throws SQLException {
        try {
            for (int i = 0; i < parameters.size(); i++) set(statement, i + 1, parameters.get(i));
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private static void set(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(place, Types.VARBINARY);
            case byte[] it -> statement.setBytes(place, it);
            case String it -> statement.setBytes(place, it.getBytes(UTF_8));
            case UUID it -> statement.setBytes(place, bytes(it));
            case Instant it -> statement.setLong(place, ChronoUnit.MICROS.between(Instant.EPOCH, it));
            case Long it -> statement.setLong(place, it);
            case Integer it -> statement.setInt(place, it);
            case Json it -> statement.setString(place, it.text());
            default -> throw new IllegalArgumentException("no parameter: " + value.getClass());
        }
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    static UUID uuid(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    static @Nullable String text(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Rows of numbers, for {@code json_table}. */
    record Json(String text) {
        static Json of(List<long[]> rows) {
            StringBuilder text = new StringBuilder("[");
            for (long[] row : rows) text.append(text.length() == 1 ? "" : ",").append(Arrays.toString(row));
            return new Json(text.append(']').toString());
        }
    }
}
