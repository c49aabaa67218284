package dev.semel.examples.demo;

import java.time.Duration;

/** How the demo stands, or how it ended: the same payments with Semel and without, and what was broken meanwhile. */
public record Summary(Duration elapsed, SideCount guarded, SideCount bare, IncidentCount incidents) {

    /** Whether Semel's side had payments, none was charged twice, and none was answered as paid without a charge. */
    public boolean isExactlyOnce() {
        return guarded.answered() > 0 && guarded.doubleCharges() == 0 && guarded.missing() == 0;
    }
}
