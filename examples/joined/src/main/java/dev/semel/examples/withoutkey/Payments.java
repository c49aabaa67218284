package dev.semel.examples.withoutkey;

import dev.semel.core.key.StableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Rows that have a name of their own, from the business or derived from what they are. */
public final class Payments {
    private static final UUID REFUNDS = UUID.fromString("0d7b1f0e-3c52-4d0f-9a55-6f1f0c1f7a11"); // never changes

    /** @return whether this was the first time */
    public boolean record(Connection connection, String reference, long cents) throws SQLException {
        String insert = "insert into payment (reference, cents) values (?, ?) on conflict (reference) do nothing";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, reference);
            statement.setLong(2, cents);
            return statement.executeUpdate() == 1;
        }
    }

    public UUID refundId(String orderId, String reason) {
        return StableId.of(REFUNDS, orderId, reason);
    }

    public UUID refund(Connection connection, String orderId, String reason, long cents) throws SQLException {
        UUID id = refundId(orderId, reason);
        String insert = "insert into refund (id, cents) values (?, ?) on conflict (id) do nothing";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setObject(1, id);
            statement.setLong(2, cents);
            statement.executeUpdate();
            return id;
        }
    }
}
