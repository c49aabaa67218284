package dev.semel.core.move;

import java.util.List;

/**
 * What a migration has done.
 *
 * @param looked how many keys of the first store were looked at
 * @param copied how many it has written in the second store
 * @param withoutBody how many of these have an outcome that is larger than the second store keeps, and lost its body
 * @param thereBefore how many were in the second store already, by an earlier run or by a claim
 * @param running how many have a holder at work: they stay where they are until it is done
 * @param forgotten how many had nothing left to bring
 * @param lifted how many seals of an earlier move the other way are gone
 * @param failed how many could not be brought, for the reasons in {@code leftOut}
 * @param leftOut the first of those that could not be brought, and why; a sentence each
 */
public record MigrationReport(
        long looked,
        long copied,
        long withoutBody,
        long thereBefore,
        long running,
        long forgotten,
        long lifted,
        long failed,
        List<String> leftOut) {
    public MigrationReport {
        leftOut = List.copyOf(leftOut);
    }

    /** Whether everything is in the second store. */
    public boolean isComplete() {
        return running == 0 && failed == 0;
    }
}
