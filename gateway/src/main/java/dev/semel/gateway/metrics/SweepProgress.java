package dev.semel.gateway.metrics;

import dev.semel.core.store.KeyIndex.Swept;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the sweep is that cleans the store, and how far behind. Also says so in the log: once when no full pass has
 * ended for too long, and once when one has. Stepped by one thread, read by any.
 */
final class SweepProgress {
    static final Duration OVERDUE_AFTER = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger("semel.sweep");

    private final LongSupplier nanoTime;
    private final DoubtMeters doubts;
    private final Counter looked;
    private final Counter removed;
    private final Counter stripped;
    private final Counter passes;
    private volatile long lastEnd;
    private final AtomicLong passRecords = new AtomicLong();
    private volatile long overdue;
    private long passOverdue;
    private long passDoubts;
    private boolean behind;

    SweepProgress(MeterRegistry registry, DoubtMeters doubts, LongSupplier nanoTime) {
        this.doubts = doubts;
        this.nanoTime = nanoTime;
        this.lastEnd = nanoTime.getAsLong();
        this.looked = records(registry, "looked-at");
        this.removed = records(registry, "removed");
        this.stripped = records(registry, "stripped");
        this.passes = Counter.builder(MeterNames.SWEEP_PASSES)
                .description("Full passes of the sweep over the store")
                .register(registry);
        Gauge.builder(MeterNames.SWEEP_AGE, this, it -> it.ageNanos() / 1e9)
                .description("Time since the last full pass ended, or since the start while there was none")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder(MeterNames.SWEEP_PASS_RECORDS, this, it -> it.passRecords.get())
                .description("Records looked at so far in the pass that is under way")
                .register(registry);
        Gauge.builder(MeterNames.SWEEP_OVERDUE, this, it -> it.overdue)
                .description("Records past their time that the last full pass found, and cleaned")
                .register(registry);
    }

    private static Counter records(MeterRegistry registry, String done) {
        return Counter.builder(MeterNames.SWEEP_RECORDS)
                .description("Records that the sweep looked at, removed, or cut down to tombstones")
                .tag(MeterNames.DONE, done)
                .register(registry);
    }

    void stepped(Swept step) {
        looked.increment((double) step.looked());
        removed.increment((double) step.removed());
        stripped.increment((double) step.stripped());
        passRecords.addAndGet(step.looked());
        passOverdue += step.removed() + step.stripped();
        passDoubts += step.inDoubt();
        doubts.counted(passDoubts, step.finished());
        if (step.finished()) endPass();
    }

    private void endPass() {
        passes.increment();
        if (behind) LOG.atInfo().addKeyValue("records", passRecords.get()).log("The sweep of the store has caught up.");
        behind = false;
        overdue = passOverdue;
        lastEnd = nanoTime.getAsLong();
        passRecords.set(0);
        passOverdue = 0;
        passDoubts = 0;
    }

    /** After each step, also one that failed. */
    void checkLag() {
        if (behind || ageNanos() <= OVERDUE_AFTER.toNanos()) return;
        behind = true;
        LOG.atWarn()
                .addKeyValue("records", passRecords.get())
                .addKeyValue("seconds", TimeUnit.NANOSECONDS.toSeconds(ageNanos()))
                .log("The sweep of the store is behind: no full pass has ended for so long. Expired keys take up room"
                        + " until it comes to them, and doubts left by dead gateways are found later.");
    }

    private long ageNanos() {
        return nanoTime.getAsLong() - lastEnd;
    }
}
