package dev.semel.examples.demo;

import java.time.Duration;

/** Puts together what both sides say, counted from the moment it was made. */
final class Stand {
    private final Side guarded;
    private final Side bare;
    private final Incidents incidents;
    private final long startNanos = System.nanoTime();

    Stand(Side guarded, Side bare, Incidents incidents) {
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
