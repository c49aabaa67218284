package dev.semel.core.claim;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;

/** Finds out whether an operation in doubt has happened, by asking whoever would know. */
@FunctionalInterface
public interface Probe {

    /** What was found out. */
    sealed interface Finding {
        /** It did happen, with this outcome. */
        record Happened(Outcome outcome) implements Finding {}

        /** It did not happen, and what was sent can no longer make it happen: the key may be claimed again. */
        record DidNotHappen() implements Finding {}

        /** Nobody could tell. Not said of an operation: only of this attempt to find out. */
        record StillUnknown(String why) implements Finding {}
    }

    /**
     * Asks once. Blocks, for no longer than the plan's time-out; what it throws counts as not knowing.
     *
     * @param memo what the holder left with its claim
     */
    Finding ask(KeyId id, Memo memo);
}
