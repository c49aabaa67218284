package dev.semel.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** How long the calls of a store take, how often they fail, and how many writes share a commit. */
final class StoreMeters {
    enum Call {
        INSERT,
        REPLACE,
        FIND,
        FIND_ALL,
        LIST,
        COUNT,
        SWEEP
    }

    private record Meters(Timer time, Counter failures) {}

    private final Map<Call, Meters> calls = new EnumMap<>(Call.class);
    private final DistributionSummary commits;

    StoreMeters(MeterRegistry registry) {
        for (Call call : Call.values()) {
            String label = call.name().toLowerCase(Locale.ROOT).replace('_', '-');
            Timer time = Timer.builder(MeterNames.STORE_TIME)
                    .description("Time that a call of the store took, also one that failed")
                    .tag(MeterNames.CALL, label)
                    .serviceLevelObjectives(MeterNames.STORE_BUCKETS)
                    .register(registry);
            Counter failures = Counter.builder(MeterNames.STORE_FAILURES)
                    .description("Calls that the store did not answer")
                    .tag(MeterNames.CALL, label)
                    .register(registry);
            calls.put(call, new Meters(time, failures));
        }
        this.commits = DistributionSummary.builder(MeterNames.COMMIT_WRITES)
                .description("Writes that shared one commit of the store")
                .serviceLevelObjectives(MeterNames.COMMIT_BUCKETS)
                .register(registry);
    }

    private Meters of(Call call) {
        return Objects.requireNonNull(calls.get(call));
    }

    void took(Call call, long nanos) {
        of(call).time().record(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(Call call) {
        of(call).failures().increment();
    }

    void committed(int writes) {
        commits.record(writes);
    }
}
