package dev.semel.bench.peers.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.context.WorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.semel.bench.loop.Ledger;
import dev.semel.bench.loop.LoopServer;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * One operation as a workflow without steps, whose id is the key: the least that DBOS can do for it. Arguments: the JDBC URL,
 * how many connections, and what stands in every key.
 */
public final class DbosPeer {
    private DbosPeer() {}

    /** DBOS wraps what is called through an interface. */
    public interface Charges {
        String charge(String account) throws Exception;
    }

    /** The operation itself. */
    public static final class LedgerCharges implements Charges {
        private final DataSource pool;
        private final int rows;
        private final AtomicLong effects;

        LedgerCharges(DataSource pool, int rows, AtomicLong effects) {
            this.pool = pool;
            this.rows = rows;
            this.effects = effects;
        }

        @Override
        @Workflow(name = "charge")
        public String charge(String account) throws Exception {
            effects.incrementAndGet();
            return Ledger.chargeAlone(pool, account, rows);
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicLong effects = new AtomicLong();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(args[0]);
            pool.setMaximumPoolSize(Integer.parseInt(args[1]));
            DBOSConfig config =
                    DBOSConfig.defaults("bench").withDataSource(pool).withAppVersion("1");
            try (DBOS dbos = new DBOS(config)) {
                Charges charges =
                        dbos.registerProxy(Charges.class, new LedgerCharges(pool, Integer.parseInt(args[3]), effects));
                dbos.launch();
                LoopServer.serve(number -> charge(charges, args[2] + number), effects);
            }
        }
    }

    private static void charge(Charges charges, String key) throws Exception {
        WorkflowOptions.Guard named = new WorkflowOptions(key).setContext();
        try {
            Ledger.check(charges.charge(key));
        } finally {
            named.close();
        }
    }
}
