package dev.semel.bench.store;

import dev.semel.bench.ProcessCpu;
import dev.semel.bench.Rounds;
import dev.semel.bench.loop.ClosedLoop;
import dev.semel.bench.loop.Operation;
import dev.semel.bench.report.Fact;
import dev.semel.bench.report.Ratio;
import dev.semel.bench.report.Scenario;
import dev.semel.bench.report.Series;
import dev.semel.core.Semel;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.store.rocksdb.Durability;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** What the purge costs: the store of many keys, with a clock by which all of them have expired. */
final class GrownPurge {
    private static final int STEP = 1_000;
    /** The part of the keys that the purge alone may take; the rest is for the rounds. */
    private static final int PART_ALONE = 3;

    private static final Duration LATER =
            KeyOperations.RETENTION.plus(KeyOperations.TOMBSTONE).plusDays(1);
    private static final Duration ONE_PASS = Duration.ofDays(1);

    private GrownPurge() {}

    static void measure(GrowthBench bench) throws IOException, InterruptedException {
        String subject = GrowthBench.name(bench.options().sizes().getLast()) + ", expired";
        Scenario idle = bench.scenario(subject, "fresh keys");
        Scenario purging = bench.scenario(subject, "fresh, purging");
        Clock later = Clock.offset(Clock.systemUTC(), LATER);
        try (RocksKeyStore store = RocksKeyStore.open(bench.grown(), Durability.SYNC, later)) {
            List<Fact> facts = purgeAlone(store, bench.options().purging(), bench.kept() / PART_ALONE);
            List<Series> series = rounds(bench, store, idle, purging);
            Ratio ratio = Ratio.ofRates("fresh keys, purging / not", purging, idle);
            bench.addFound(series, List.of(ratio, ratio.of(Ratio.Figure.P99)), facts);
        }
    }

    private static List<Series> rounds(GrowthBench bench, RocksKeyStore store, Scenario idle, Scenario purging)
            throws IOException, InterruptedException {
        Rounds rounds = new Rounds(bench.options().plan(), bench.progress());
        KeyOperations work = new KeyOperations(store, "late-" + Long.toHexString(System.nanoTime()));
        Operation fresh = work::claimAndComplete;
        bench.addLoop(rounds, idle, fresh);
        // Its own numbers, or the two would use the same keys.
        KeyOperations other = new KeyOperations(store, "purging-" + work.run());
        ClosedLoop loop = ClosedLoop.ofVirtualThreads(purging.callers());
        rounds.add(purging, time -> {
            Semel sweeping = Semel.on(store).sweepEvery(ONE_PASS).start();
            try {
                return GrowthBench.measured(loop, other::claimAndComplete, time);
            } finally {
                sweeping.close();
            }
        });
        return rounds.run();
    }

    /** The purge alone, without its pauses, over so many records at most. */
    private static List<Fact> purgeAlone(RocksKeyStore store, Duration time, long most) {
        long end = System.nanoTime() + time.toNanos();
        long begin = System.nanoTime();
        Duration cpu = ProcessCpu.own();
        long looked = 0;
        long removed = 0;
        boolean finished = false;
        while (!finished && looked < most && System.nanoTime() - end < 0) {
            Swept swept = store.sweep(STEP);
            looked += swept.looked();
            removed += swept.removed();
            finished = swept.finished();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double cpuMicros = ProcessCpu.own().minus(cpu).toNanos() / 1e3;
        return List.of(
                new Fact("purge without pauses, looked at", looked / seconds, "keys/s"),
                new Fact("purge without pauses, removed", removed / seconds, "keys/s"),
                new Fact("purge, CPU per removed key, compaction included", cpuMicros / removed, "us"));
    }
}
