package dev.semel.broker.webhook.tables;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** The time by which deliveries are due and leases end: that of the database, which all relays share. Tests move one by hand. */
@FunctionalInterface
public interface DeliveryTime {
    DeliveryTime DATABASE = connection -> {
        try (PreparedStatement statement = connection.prepareStatement("select clock_timestamp()");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    };

    Instant now(Connection connection) throws SQLException;
}
