package dev.semel.examples.joined;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.semel.core.Operation;
import org.jooq.DSLContext;

/** With jOOQ. */
public final class JooqShop implements Shop {
    private final DSLContext database;
    private final Operation<String> charge;

    public JooqShop(DSLContext database, Operation<String> charge) {
        this.database = database;
        this.charge = charge;
    }

    // guide: jooq
    @Override
    public String pay(String orderId, long cents, BeforeCommit last) {
        String receipt = database.transactionResult(transaction -> {
            DSLContext dsl = transaction.dsl();
            String paid = dsl.connectionResult(connection ->
                    charge.joining(connection).once(orderId, cents, attempt -> insert(dsl, orderId, cents)));
            last.run();
            return paid;
        });
        charge.committed(orderId);
        return receipt;
    }
    // end

    private static String insert(DSLContext dsl, String orderId, long cents) {
        dsl.insertInto(table("ledger"), field("order_id", String.class), field("cents", Long.class))
                .values(orderId, cents)
                .execute();
        return "receipt for " + orderId;
    }
}
