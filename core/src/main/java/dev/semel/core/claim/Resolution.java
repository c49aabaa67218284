package dev.semel.core.claim;

import dev.semel.core.key.Outcome;
import java.time.Duration;

/** How a doubt ends, in the words of someone who found out. */
public sealed interface Resolution {

    /** The operation did happen, with this outcome. */
    record Completed(Outcome outcome, Duration retention, Duration tombstone) implements Resolution {}

    /** The operation did not happen: the key may be claimed again, for the same request. */
    record DidNotHappen(Duration keep) implements Resolution {}
}
