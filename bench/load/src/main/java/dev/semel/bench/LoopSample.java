package dev.semel.bench;

import dev.semel.bench.loop.Looped;
import dev.semel.bench.report.Sample;
import java.time.Duration;

/** What a loop measured, as a sample of a report. */
public final class LoopSample {
    private LoopSample() {}

    public static Sample of(Looped looped, Duration cpu, Duration behind) {
        return Sample.of(
                looped.operations(),
                looped.seconds(),
                looped.p50(),
                looped.p99(),
                cpu,
                behind,
                looped.errors(),
                looped.firstError());
    }
}
