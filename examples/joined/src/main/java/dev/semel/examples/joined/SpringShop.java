package dev.semel.examples.joined;

import dev.semel.core.Operation;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** With Spring's {@link TransactionTemplate}. {@link DataSourceUtils} gives the connection of the transaction that runs. */
public final class SpringShop implements Shop {
    private final DataSource database;
    private final TransactionTemplate transactions;
    private final JdbcTemplate jdbc;
    private final Operation<String> charge;

    public SpringShop(DataSource database, TransactionTemplate transactions, Operation<String> charge) {
        this.database = database;
        this.transactions = transactions;
        this.jdbc = new JdbcTemplate(database);
        this.charge = charge;
    }

    // guide: spring
    @Override
    public String pay(String orderId, long cents, BeforeCommit last) {
        return transactions.execute(status -> {
            Connection connection = DataSourceUtils.getConnection(database);
            String receipt = charge.joining(connection).once(orderId, cents, attempt -> insert(orderId, cents));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    charge.committed(orderId);
                }
            });
            last.run();
            return receipt;
        });
    }
    // end

    private String insert(String orderId, long cents) {
        jdbc.update("insert into ledger (order_id, cents) values (?, ?)", orderId, cents);
        return "receipt for " + orderId;
    }
}
