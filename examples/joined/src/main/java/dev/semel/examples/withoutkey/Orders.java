package dev.semel.examples.withoutkey;

import dev.semel.core.key.TimeOrderedId;
import dev.semel.store.jdbc.effect.Transition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Orders, and the states that they go through. */
public final class Orders {
    private static final Transition.Column STATE = Transition.of("orders", "id", "state");
    private static final Transition CAPTURE = STATE.from("authorized").to("captured");
    private static final Transition REFUND = STATE.from("captured", "settled").to("refunded");

    public String capture(Connection connection, UUID order) throws SQLException {
        return switch (CAPTURE.apply(connection, order)) {
            case Transition.Changed it -> book(connection, order, "capture");
            case Transition.AlreadyThere it -> "captured before";
            case Transition.Refused it -> "not possible: the order is " + it.actualState();
            case Transition.Absent it -> "no such order";
        };
    }

    public String refund(Connection connection, UUID order) throws SQLException {
        return switch (REFUND.apply(connection, order)) {
            case Transition.Changed it -> book(connection, order, "refund");
            case Transition.AlreadyThere it -> "refunded before";
            case Transition.Refused it -> "not possible: the order is " + it.actualState();
            case Transition.Absent it -> "no such order";
        };
    }

    private static String book(Connection connection, UUID order, String what) throws SQLException {
        run(connection, "insert into booking (order_id, what) values (?, ?)", order, what);
        return what + " booked";
    }

    /** PUT /orders/{id}: the client has made the id, once, before it asked for the first time. */
    public void put(Connection connection, UUID id, String item) throws SQLException {
        run(
                connection,
                "insert into orders (id, item) values (?, ?) on conflict (id) do update set item = excluded.item",
                id,
                item);
    }

    /** POST /orders: the server makes the id, so every request is another order. */
    public UUID post(Connection connection, String item) throws SQLException {
        UUID id = TimeOrderedId.next();
        run(connection, "insert into orders (id, item) values (?, ?)", id, item);
        return id;
    }

    private static void run(Connection connection, String sql, UUID id, String text) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, id);
            statement.setString(2, text);
            statement.executeUpdate();
        }
    }
}
