package dev.semel.bench.store;

import dev.semel.bench.ProcessCpu;
import dev.semel.bench.Rounds;
import dev.semel.bench.Targets;
import dev.semel.bench.loop.ClosedLoop;
import dev.semel.bench.loop.LoopResult;
import dev.semel.bench.loop.Operation;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Machine;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.Sample;
import dev.semel.bench.report.Scenario;
import dev.semel.bench.report.Series;
import dev.semel.store.jdbc.PostgresKeyStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A claim and its completion in the PostgreSQL store, beside the bare statements at the same concurrency: from PostgreSQL's
 * own load generator, and from a loop in Java that does nothing else.
 */
public final class PostgresBench {
    private static final String WORK = "claim + complete";
    private static final String STORE = "semel store";
    private static final String JDBC = "plain JDBC";
    private static final String PGBENCH = "pgbench";

    private final Options options;
    private final PrintStream progress;
    private final Machine machine = Machine.here();
    private final Map<String, long[]> statements = new LinkedHashMap<>();

    /**
     * What to measure.
     *
     * @param pid the server's process
     * @param callers how many ask at the same time; each number is a block of the table
     * @param pgbenchFolder where pgbench may write; null to leave it out
     */
    public record Options(
            String jdbcUrl,
            int port,
            long pid,
            List<Integer> callers,
            Rounds.Plan plan,
            @Nullable Path pgbenchFolder) {}

    private PostgresBench(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Runs the benchmark on a server that stays as it is, but for the table of keys. */
    public static Report run(Options options, PrintStream progress)
            throws IOException, InterruptedException, SQLException {
        return new PostgresBench(options, progress).run();
    }

    private Report run() throws IOException, InterruptedException, SQLException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(options.jdbcUrl());
        String run = Long.toHexString(System.nanoTime());
        try (PostgresKeyStore store = PostgresKeyStore.open(options.jdbcUrl());
                StatementCounter count = StatementCounter.of(database)) {
            try (PlainJdbcOperation jdbc = new PlainJdbcOperation(database, run + "-jdbc")) {
                Rounds rounds = new Rounds(options.plan(), progress);
                for (int callers : options.callers()) {
                    KeyOperations work = new KeyOperations(store, run + "-" + callers);
                    addLoop(rounds, STORE, callers, work::claimAndComplete, count);
                    long offset = (long) callers << 40;
                    addLoop(rounds, JDBC, callers, number -> jdbc.run(offset + number), count);
                    Path folder = options.pgbenchFolder();
                    if (folder != null)
                        addPgbench(rounds, new Pgbench(folder, options.port(), callers), callers, count);
                }
                return report(rounds.run());
            }
        }
    }

    private void addLoop(Rounds rounds, String subject, int callers, Operation operation, StatementCounter count)
            throws InterruptedException {
        ClosedLoop loop = ClosedLoop.ofVirtualThreads(callers);
        progress.println("warming up " + subject);
        if (options.plan().warmUp().isPositive())
            loop.run(operation, options.plan().warmUp());
        rounds.add(new Scenario(subject, WORK, callers), time -> {
            long before = count.now();
            Duration cpu = ProcessCpu.own();
            Duration behind = ProcessCpu.of(options.pid());
            LoopResult result = loop.run(operation, time);
            note(subject, callers, count.now() - before, result.operations());
            return Sample.of(
                    result,
                    ProcessCpu.own().minus(cpu),
                    ProcessCpu.of(options.pid()).minus(behind));
        });
    }

    private void addPgbench(Rounds rounds, Pgbench pgbench, int callers, StatementCounter count) {
        rounds.add(new Scenario(PGBENCH, WORK, callers), time -> {
            long before = count.now();
            Pgbench.Run run = pgbench.run(time, options.pid());
            note(PGBENCH, callers, count.now() - before, run.transactions());
            return run.sample();
        });
    }

    private void note(String subject, int callers, long executed, long operations) {
        long[] sums = statements.computeIfAbsent(subject + ", " + callers + " callers", name -> new long[2]);
        sums[0] += executed;
        sums[1] += operations;
    }

    private Report report(List<Series> series) {
        List<Ratio> ratios = new ArrayList<>();
        for (int callers : options.callers()) {
            Scenario store = new Scenario(STORE, WORK, callers);
            Scenario jdbc = new Scenario(JDBC, WORK, callers);
            Scenario pgbench = new Scenario(PGBENCH, WORK, callers);
            if (options.pgbenchFolder() != null)
                ratios.add(Ratio.ofRates("store / pgbench (" + callers + ")", store, pgbench)
                        .withTarget(Targets.STORE_TO_PGBENCH));
            ratios.add(Ratio.ofRates("store / plain JDBC (" + callers + ")", store, jdbc)
                    .withTarget(Targets.STORE_TO_PGBENCH));
            ratios.add(Ratio.ofRates("store / plain JDBC (" + callers + ")", store, jdbc)
                    .of(Ratio.Figure.ALL_CPU));
        }
        List<Fact> facts = new ArrayList<>();
        statements.forEach((who, sums) ->
                facts.add(new Fact("statements per operation, " + who, (double) sums[0] / sums[1], "statements")));
        return new Report(
                "postgresql",
                "The PostgreSQL store beside its own bare statements",
                "./semel bench postgresql",
                Instant.now(),
                machine,
                "database",
                series,
                ratios,
                facts,
                List.of(
                        "One operation is a claim of a new key and its completion with an outcome of about 300 bytes.",
                        "The bare statements are what one would write by hand for a row at a time: each is one round"
                                + " trip and one commit, on a connection for each caller.",
                        "The store has its default pool, shared by all callers, and may put callers together.",
                        "CPU of the store and of plain JDBC is that of this JVM, loop included; fsync and"
                                + " synchronous_commit are on."));
    }
}
