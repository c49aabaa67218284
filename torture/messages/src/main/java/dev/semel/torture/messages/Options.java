package dev.semel.torture.messages;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a run is told.
 *
 * @param messages how many are committed, at least
 * @param atMost for how long is written at most
 * @param faults whether anything is broken
 * @param betweenKills of relays
 * @param lease of relays
 * @param patience how long nothing may move at the end before the rest counts as lost
 * @param relay the main class of a relay; its arguments are those of {@link RelayChild}
 */
record Options(
        long messages,
        Duration atMost,
        int writers,
        int relays,
        int consumers,
        long seed,
        Faults faults,
        Duration betweenKills,
        Duration lease,
        Duration patience,
        String relay,
        Path folder) {

    /** What is broken: only what proves a planted bug, or so much as a build has time for, or all. */
    enum Faults {
        NONE,
        POISON,
        LATE_RELAY,
        FEW,
        ALL;

        boolean poisons() {
            return this != NONE && this != LATE_RELAY;
        }
    }
}
