package dev.semel.examples.demo;

import java.time.Duration;

/** Makes summaries of both sides; time counts from when it was made. */
final class SummaryCollector {
    private final Side guarded;
    private final Side bare;
    private final Incidents incidents;
    private final long startNanos = System.nanoTime();

    SummaryCollector(Side guarded, Side bare, Incidents incidents) {
        this.guarded = guarded;
        this.bare = bare;
        this.incidents = incidents;
    }

    Summary now() {
        return new Summary(elapsed(), guarded.now(), bare.now(), incidents.count());
    }

    Summary atTheEnd() {
        return new Summary(elapsed(), guarded.atTheEnd(), bare.atTheEnd(), incidents.count());
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }
}
