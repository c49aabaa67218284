package dev.semel.broker.webhook.tables;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement with its parameters, from left to right. Moments, lists and the rest are translated on the way. */
public final class Sql {
    private final Connection connection;
    private final String text;
    private final List<@Nullable Object> parameters = new ArrayList<>();

    private Sql(Connection connection, String text) {
        this.connection = connection;
        this.text = text;
    }

    public static Sql of(Connection connection, String text, @Nullable Object... parameters) {
        Sql sql = new Sql(connection, text);
        for (Object each : parameters) sql.parameters.add(each);
        return sql;
    }

    /** What a row becomes. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    public int update() throws SQLException {
        try (PreparedStatement statement = prepare()) {
            return statement.executeUpdate();
        }
    }

    public <T> List<T> list(Reader<T> reader) throws SQLException {
        try (PreparedStatement statement = prepare();
                ResultSet row = statement.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (row.next()) rows.add(reader.read(row));
            return rows;
        }
    }

    public <T> @Nullable T first(Reader<T> reader) throws SQLException {
        List<T> rows = list(reader);
        return rows.isEmpty() ? null : rows.getFirst();
    }

    private PreparedStatement prepare() throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            for (int i = 0; i < parameters.size(); i++) set(statement, i + 1, parameters.get(i));
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private void set(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setObject(place, null);
            case Instant moment -> statement.setObject(place, OffsetDateTime.ofInstant(moment, ZoneOffset.UTC));
            case byte[] bytes -> statement.setBytes(place, bytes);
            case Array(String type, Object[] elements) ->
                statement.setArray(place, connection.createArrayOf(type, elements));
            default -> statement.setObject(place, value);
        }
    }

    private record Array(String type, Object[] elements) {}

    public static Object texts(Collection<String> elements) {
        return new Array("text", elements.toArray());
    }

    /** An array of any type of the database. */
    public static Object array(String type, Collection<? extends @Nullable Object> elements) {
        boolean bytes = type.equals("bytea");
        return new Array(type, bytes ? elements.toArray(byte[][]::new) : elements.toArray());
    }

    public static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime moment = row.getObject(column, OffsetDateTime.class);
        return moment == null ? null : moment.toInstant();
    }

    public static List<String> texts(ResultSet row, String column) throws SQLException {
        return List.of((String[]) row.getArray(column).getArray());
    }
}
