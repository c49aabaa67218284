package dev.semel.examples.joined;

import dev.semel.core.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** In plain JDBC. A connection that is closed without a commit is rolled back. */
public final class JdbcShop implements Shop {
    private final DataSource database;
    private final Operation<String> charge;

    public JdbcShop(DataSource database, Operation<String> charge) {
        this.database = database;
        this.charge = charge;
    }

    // guide: jdbc
    @Override
    public String pay(String orderId, long cents, BeforeCommit last) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                String receipt =
                        charge.joining(connection).once(orderId, cents, attempt -> insert(connection, orderId, cents));
                last.run();
                connection.commit();
                charge.committed(orderId);
                return receipt;
            } catch (Exception | Error e) {
                connection.rollback();
                throw e;
            }
        }
    }
    // end

    private static String insert(Connection connection, String orderId, long cents) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into ledger (order_id, cents) values (?, ?)")) {
            insert.setString(1, orderId);
            insert.setLong(2, cents);
            insert.executeUpdate();
        }
        return "receipt for " + orderId;
    }
}
