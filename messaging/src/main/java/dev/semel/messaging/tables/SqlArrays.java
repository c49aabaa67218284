package dev.semel.messaging.tables;

import dev.semel.messaging.broker.ShardLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.function.Function;

/** Sets the parameters of a statement from left to right; most are arrays, a column each. */
final class SqlArrays {
    private final Connection connection;
    private final PreparedStatement statement;
    private int next = 1;

    SqlArrays(Connection connection, PreparedStatement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    <T> SqlArrays array(String type, Collection<T> rows, Function<? super T, ?> column) throws SQLException {
        statement.setArray(
                next++, connection.createArrayOf(type, rows.stream().map(column).toArray()));
        return this;
    }

    SqlArrays bytes(Collection<byte[]> values) throws SQLException {
        statement.setArray(next++, connection.createArrayOf("bytea", values.toArray(byte[][]::new)));
        return this;
    }

    SqlArrays leases(Collection<ShardLease> leases) throws SQLException {
        return array("int4", leases, ShardLease::shard).array("int8", leases, ShardLease::epoch);
    }

    SqlArrays number(long value) throws SQLException {
        statement.setLong(next++, value);
        return this;
    }

    SqlArrays number(int value) throws SQLException {
        statement.setInt(next++, value);
        return this;
    }

    SqlArrays text(String value) throws SQLException {
        statement.setString(next++, value);
        return this;
    }
}
