package dev.semel.examples.joined;

import dev.semel.core.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** In plain JDBC, with a transaction that is begun and committed by the operation. */
public final class TransactingShop implements Shop {
    private final DataSource database;
    private final Operation<String> charge;

    public TransactingShop(DataSource database, Operation<String> charge) {
        this.database = database;
        this.charge = charge;
    }

    // guide: transacting
    @Override
    public String pay(String orderId, long cents, BeforeCommit last) throws SQLException {
        return charge.transacting(database).once(orderId, cents, (attempt, transaction) -> {
            String receipt = insert(transaction, orderId, cents);
            last.run();
            return receipt;
        });
    }
    // end

    private static String insert(Connection transaction, String orderId, long cents) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into ledger (order_id, cents) values (?, ?)")) {
            insert.setString(1, orderId);
            insert.setLong(2, cents);
            insert.executeUpdate();
        }
        return "receipt for " + orderId;
    }
}
