package dev.semel.bench.store;

import dev.semel.bench.GatewayLauncher;
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
import dev.semel.store.rocksdb.Durability;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a store of very many keys costs that a store of few does not. One RocksDB store grows from size to size; at each
 * it is measured in turns with a small one, so that the ratio of the two tells what growth did and not what the machine did.
 */
public final class GrowthBench {
    private static final String FRESH = "fresh keys";
    private static final String REPLAYS = "replays";
    private static final String FEW = "few keys";
    private static final long FEW_KEYS = 10_000;
    private static final int FILLERS = 512;
    private static final long FILL_STEP = 500_000;
    private static final long BYTES_PER_KEY = 600;
    private static final Duration LONGEST_REST = Duration.ofMinutes(5);

    private final Options options;
    private final GatewayLauncher launcher;
    private final PrintStream progress;
    private final Machine machine = Machine.here();
    private final ClosedLoop filler = ClosedLoop.ofVirtualThreads(FILLERS);
    private final Path grown;
    private final List<Series> series = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private long kept;

    /**
     * What to measure.
     *
     * @param sizes numbers of kept keys, growing
     * @param folder an empty one, for the stores
     * @param callers how many ask at the same time
     * @param purging for how long the cost of the purge itself is measured
     */
    public record Options(List<Long> sizes, Path folder, int callers, Rounds.Plan plan, Duration purging) {
        public Options {
            if (sizes.isEmpty()) throw new IllegalArgumentException("No sizes to measure.");
            long last = 0;
            for (long size : sizes) {
                if (size <= last) throw new IllegalArgumentException("Sizes grow, and start at 1: " + sizes);
                last = size;
            }
        }
    }

    private GrowthBench(Options options, GatewayLauncher launcher, PrintStream progress) {
        this.options = options;
        this.launcher = launcher;
        this.progress = progress;
        this.grown = options.folder().resolve("big");
    }

    /**
     * Runs the benchmark.
     *
     * @throws IllegalStateException when the disk has no room for that many keys
     */
    public static Report run(Options options, GatewayLauncher launcher, PrintStream progress)
            throws IOException, InterruptedException {
        Disk.requireRoom(options.folder(), options.sizes().getLast() * BYTES_PER_KEY);
        return new GrowthBench(options, launcher, progress).run();
    }

    private Report run() throws IOException, InterruptedException {
        for (long size : options.sizes()) {
            fill(size);
            Path small = options.folder().resolve("small-" + size);
            measureStores(size, small);
            GrownGateway.measure(this, launcher, small, size);
        }
        GrownPurge.measure(this);
        return report();
    }

    /** Filled without a sync for each commit: what counts here is what the store looks like afterwards. */
    private void fill(long size) throws IOException, InterruptedException {
        try (RocksKeyStore store = RocksKeyStore.open(grown, Durability.OS)) {
            long begin = System.nanoTime();
            long before = kept;
            KeyOperations work = new KeyOperations(store, "fill");
            while (kept < size) {
                long step = Math.min(FILL_STEP, size - kept);
                LoopResult filled = fill(filler, work, step);
                kept += step;
                progress.printf(Locale.ROOT, "%,d keys, %,.0f/s%n", kept, filled.perSecond());
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            facts.add(new Fact("filling up to " + name(size), (size - before) / seconds, "keys/s"));
            progress.println("waiting for compaction");
            Disk.awaitRest(LONGEST_REST);
            facts.add(new Fact("disk, " + name(size), (double) Disk.bytes(grown) / kept, "B/key"));
        }
    }

    private void measureStores(long size, Path small) throws IOException, InterruptedException {
        try (RocksKeyStore few = RocksKeyStore.open(small, Durability.SYNC)) {
            fill(ClosedLoop.ofVirtualThreads(FILLERS), new KeyOperations(few, "fill"), FEW_KEYS);
            long begin = System.nanoTime();
            try (RocksKeyStore many = RocksKeyStore.open(grown, Durability.SYNC)) {
                facts.add(new Fact("store opens, " + name(size), (System.nanoTime() - begin) / 1e6, "ms"));
                Rounds rounds = new Rounds(options.plan(), progress);
                addStore(rounds, FEW + " beside " + name(size), few, FEW_KEYS);
                addStore(rounds, name(size), many, kept);
                series.addAll(rounds.run());
            }
        }
        for (String work : List.of(FRESH, REPLAYS)) {
            Ratio ratio = Ratio.ofRates(
                    work + ", " + name(size) + " / few",
                    scenario(name(size), work),
                    scenario(FEW + " beside " + name(size), work));
            ratios.add(ratio.withTarget(work.equals(FRESH) ? Targets.GROWN_TO_SMALL : Double.NaN));
            ratios.add(ratio.of(Ratio.Figure.CPU));
            ratios.add(ratio.of(Ratio.Figure.P99));
        }
    }

    private static LoopResult fill(ClosedLoop filler, KeyOperations work, long keys) throws InterruptedException {
        LoopResult filled = filler.count(work::claimAndComplete, keys);
        if (filled.errors() > 0) throw new IllegalStateException("Not filled: " + filled.firstError());
        return filled;
    }

    private void addStore(Rounds rounds, String subject, RocksKeyStore store, long filled) throws InterruptedException {
        KeyOperations fresh = new KeyOperations(store, "fresh-" + Long.toHexString(System.nanoTime()));
        KeyOperations old = new KeyOperations(store, "fill");
        addLoop(rounds, scenario(subject, FRESH), fresh::claimAndComplete);
        addLoop(
                rounds,
                scenario(subject, REPLAYS),
                number -> old.replay(ThreadLocalRandom.current().nextLong(filled)));
    }

    void addLoop(Rounds rounds, Scenario scenario, Operation operation) throws InterruptedException {
        ClosedLoop loop = ClosedLoop.ofVirtualThreads(scenario.callers());
        if (options.plan().warmUp().isPositive())
            loop.run(operation, options.plan().warmUp());
        rounds.add(scenario, time -> measured(loop, operation, time));
    }

    static Sample measured(ClosedLoop loop, Operation operation, Duration time) throws InterruptedException {
        Duration cpu = ProcessCpu.own();
        LoopResult result = loop.run(operation, time);
        return Sample.of(result, ProcessCpu.own().minus(cpu), Duration.ZERO);
    }

    Scenario scenario(String subject, String work) {
        return new Scenario(subject, work, options.callers());
    }

    Options options() {
        return options;
    }

    PrintStream progress() {
        return progress;
    }

    Path grown() {
        return grown;
    }

    long kept() {
        return kept;
    }

    void addFound(List<Series> more, List<Ratio> compared, List<Fact> counted) {
        series.addAll(more);
        ratios.addAll(compared);
        facts.addAll(counted);
    }

    static String name(long size) {
        if (size % 1_000_000 == 0) return size / 1_000_000 + "M keys";
        if (size % 1_000 == 0) return size / 1_000 + "k keys";
        return size + " keys";
    }

    private Report report() {
        return new Report(
                "growth",
                "A store of many keys beside one of few",
                "./semel bench growth",
                Instant.now(),
                machine,
                "",
                series,
                ratios,
                facts,
                List.of(
                        "Stores: in this process, durability=sync; fresh keys are a claim and its completion, with an"
                                + " outcome of about 330 bytes. Replays are of keys picked at random among all, so most"
                                + " are not in a cache.",
                        "Each size is measured in turns with a new store of 10,000 keys; its ratio is to that one.",
                        "Purging: all keys have expired, which is the most that a purge can have to do; fresh keys go"
                            + " on meanwhile. It runs as it does in a gateway, 1,000 records and a pause of 10 ms."));
    }
}
