package dev.semel.bench.peers.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.context.WorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.semel.bench.loop.LoopServer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One operation as a workflow without steps, whose id is the key: the least that DBOS can do for it. Arguments: the JDBC URL,
 * how many callers, how many connections, and what stands in every key.
 */
public final class DbosPeer {
    private static final String ANSWER = """
        {"id":"ch_3f9d2c7a41b84e6f","object":"charge","amount":1999,"currency":"eur","customer":"cus_7f3a9b21",\
        "status":"succeeded","captured":true,"created":1767225600,"receipt":"https://pay.example/r/3f9d2c7a4"}\
        """;

    private DbosPeer() {}

    /** DBOS wraps what is called through an interface. */
    public interface Charges {
        String charge(String order);
    }

    /** The operation itself. */
    public static final class TrivialCharges implements Charges {
        private final AtomicLong effects;

        TrivialCharges(AtomicLong effects) {
            this.effects = effects;
        }

        @Override
        @Workflow(name = "charge")
        public String charge(String order) {
            effects.incrementAndGet();
            return ANSWER;
        }
    }

    public static void main(String[] args) throws Exception {
        AtomicLong effects = new AtomicLong();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(args[0]);
            pool.setMaximumPoolSize(Integer.parseInt(args[2]));
            DBOSConfig config =
                    DBOSConfig.defaults("bench").withDataSource(pool).withAppVersion("1");
            try (DBOS dbos = new DBOS(config)) {
                Charges charges = dbos.registerProxy(Charges.class, new TrivialCharges(effects));
                dbos.launch();
                LoopServer.serve(number -> charge(charges, args[3] + number), effects, Integer.parseInt(args[1]));
            }
        }
    }

    private static void charge(Charges charges, String key) {
        WorkflowOptions.Guard named = new WorkflowOptions(key).setContext();
        try {
            if (!charges.charge("order 10442").equals(ANSWER)) throw new IllegalStateException("Another answer.");
        } finally {
            named.close();
        }
    }
}
