package dev.semel.gateway.metrics;

import dev.semel.core.claim.Probe.Finding;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Doubts, probes and leases. How many keys are in doubt now is what the last pass of the sweep counted in the whole store,
 * plus what began and minus what ended in this process since: counting the store for every scrape would cost too much.
 * While the first pass is under way, what it has counted so far.
 */
final class DoubtMeters implements SemelListener {
    private final AtomicLong sinceCount = new AtomicLong();
    private final Counter begun;
    private final Map<SemelEvent.EndedBy, Counter> ended = new EnumMap<>(SemelEvent.EndedBy.class);
    private final Counter happened;
    private final Counter didNotHappen;
    private final Counter stillUnknown;
    private final Counter leasesLost;
    private final Counter renewalsFailed;
    private volatile long counted;
    private volatile boolean countedAll;

    DoubtMeters(MeterRegistry registry) {
        Gauge.builder(MeterNames.IN_DOUBT, this, DoubtMeters::now)
                .description(
                        "Keys in doubt in the store, by the last pass of the sweep and what this process saw since")
                .register(registry);
        this.begun = Counter.builder(MeterNames.DOUBTS_BEGUN)
                .description("Operations that fell into doubt in this process")
                .register(registry);
        for (SemelEvent.EndedBy by : SemelEvent.EndedBy.values())
            ended.put(
                    by,
                    Counter.builder(MeterNames.DOUBTS_ENDED)
                            .description("Doubts that ended in this process, by what ended them")
                            .tag(
                                    MeterNames.BY,
                                    by.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                            .register(registry));
        this.happened = probes(registry, "happened");
        this.didNotHappen = probes(registry, "did-not-happen");
        this.stillUnknown = probes(registry, "still-unknown");
        this.leasesLost = Counter.builder(MeterNames.LEASES_LOST)
                .description("Leases that were lost while their operation still ran")
                .register(registry);
        this.renewalsFailed = Counter.builder(MeterNames.RENEWALS_FAILED)
                .description("Renewals of a lease that the store did not take")
                .register(registry);
    }

    private static Counter probes(MeterRegistry registry, String found) {
        return Counter.builder(MeterNames.PROBES)
                .description("Probes that were asked about a doubt, by what they found")
                .tag(MeterNames.FOUND, found)
                .register(registry);
    }

    @Override
    public void on(SemelEvent event) {
        switch (event) {
            case SemelEvent.FellIntoDoubt it -> {
                begun.increment();
                sinceCount.incrementAndGet();
            }
            case SemelEvent.DoubtEnded it -> {
                Objects.requireNonNull(ended.get(it.by())).increment();
                sinceCount.decrementAndGet();
            }
            case SemelEvent.Probed it ->
                (switch (it.finding()) {
                            case Finding.Happened found -> happened;
                            case Finding.DidNotHappen found -> didNotHappen;
                            case Finding.StillUnknown found -> stillUnknown;
                        })
                        .increment();
            case SemelEvent.LeaseLost it -> leasesLost.increment();
            case SemelEvent.RenewalFailed it -> renewalsFailed.increment();
            default -> {}
        }
    }

    /** The sweep has counted so many in its pass so far, or in the whole of it. */
    void counted(long inDoubt, boolean all) {
        if (countedAll && !all) return;
        counted = inDoubt;
        if (!all) return;
        countedAll = true;
        sinceCount.set(0);
    }

    private double now() {
        return Math.max(0, counted + sinceCount.get());
    }
}
