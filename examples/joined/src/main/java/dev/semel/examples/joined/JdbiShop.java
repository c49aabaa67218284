package dev.semel.examples.joined;

import dev.semel.core.Operation;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** With JDBI. */
public final class JdbiShop implements Shop {
    private final Jdbi database;
    private final Operation<String> charge;

    public JdbiShop(Jdbi database, Operation<String> charge) {
        this.database = database;
        this.charge = charge;
    }

    // guide: jdbi
    @Override
    public String pay(String orderId, long cents, BeforeCommit last) {
        return database.inTransaction(handle -> {
            handle.afterCommit(() -> charge.committed(orderId));
            String receipt = charge.joining(handle.getConnection())
                    .once(orderId, cents, attempt -> insert(handle, orderId, cents));
            last.run();
            return receipt;
        });
    }
    // end

    private static String insert(Handle handle, String orderId, long cents) {
        handle.execute("insert into ledger (order_id, cents) values (?, ?)", orderId, cents);
        return "receipt for " + orderId;
    }
}
