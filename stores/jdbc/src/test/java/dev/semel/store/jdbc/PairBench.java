package dev.semel.store.jdbc;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Next;
import dev.semel.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many keys a second are claimed and completed on PostgreSQL 18 with fsync on. Not a test: start it by hand in the
 * folder of this module, after a build has put the binaries into {@code target/postgres}.
 */
final class PairBench {
    private static final int CALLERS = 64;
    private static final Duration TIME = Duration.ofSeconds(5);

    private PairBench() {}

    public static void main(String[] args) throws SQLException {
        try (Folder folder = Folder.inTarget();
                PostgresServer server = PostgresVersion.V18.start(folder.path(), "shared_buffers=512MB");
                PostgresKeyStore store = PostgresKeyStore.open(server.jdbcUrl(), patient())) {
            measure(store, "warm-up");
            for (int run = 1; run <= 3; run++) measure(store, "run " + run);
            Sql sql = Sql.on(server.jdbcUrl());
            sql.execute("vacuum analyze semel_key");
            System.out.println("keys, bytes per key: "
                    + sql.one("select count(*), pg_total_relation_size('semel_key') / count(*) from semel_key"));
            System.out.println("updates, of which within their page: "
                    + sql.one("select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'semel_key'"));
        }
    }

    private static JdbcOptions patient() {
        String poolSize = System.getProperty("pool");
        JdbcOptions options = JdbcOptions.DEFAULT.withConnectionTimeout(Duration.ofSeconds(10));
        return poolSize == null ? options : options.withPoolSize(Integer.parseInt(poolSize));
    }

    private static void measure(PostgresKeyStore store, String name) {
        byte[] bytes = new byte[300];
        new Random(1).nextBytes(bytes);
        Next.Done done = new Next.Done(Outcome.of(bytes), Keys.HOUR, Keys.HOUR);
        LongAdder pairs = new LongAdder();
        long began = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < CALLERS; caller++) {
                String key = name + " caller " + caller + " key ";
                threads.submit(() -> {
                    for (int i = 0; System.nanoTime() - began < TIME.toNanos(); i++) {
                        KeyRecord held = Keys.insert(store, Keys.id(key + i));
                        Keys.replace(store, held, done);
                        pairs.increment();
                    }
                });
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf("%s: %.0f pairs/s with %d callers%n", name, pairs.sum() / seconds, CALLERS);
    }
}
