package dev.semel.examples.joined;

import dev.semel.core.Operation;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** With Spring's annotation. Whoever calls it without the proxy has no transaction, and is told so. */
public class TransactionalShop implements Shop {
    private final DataSource database;
    private final JdbcTemplate jdbc;
    private final Operation<String> charge;

    public TransactionalShop(DataSource database, Operation<String> charge) {
        this.database = database;
        this.jdbc = new JdbcTemplate(database);
        this.charge = charge;
    }

    // guide: transactional
    @Override
    @Transactional
    public String pay(String orderId, long cents, BeforeCommit last) {
        Connection connection = DataSourceUtils.getConnection(database);
        try {
            String receipt = charge.joining(connection).once(orderId, cents, attempt -> insert(orderId, cents));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    charge.committed(orderId);
                }
            });
            last.run();
            return receipt;
        } finally {
            DataSourceUtils.releaseConnection(connection, database);
        }
    }
    // end

    private String insert(String orderId, long cents) {
        jdbc.update("insert into ledger (order_id, cents) values (?, ?)", orderId, cents);
        return "receipt for " + orderId;
    }
}
