package dev.semel.torture.check;

import java.util.List;

/**
 * What a check found.
 *
 * @param violations no more than {@value #KEPT_PER_LAW} for each law, so that a run in which everything breaks can still be shown
 * @param keys how many keys the history has
 */
public record CheckResult(List<Violation> violations, List<LawTally> laws, int keys) {
    static final int KEPT_PER_LAW = 100;

    /**
     * @param law its sentence
     * @param keys how many keys it says something of
     * @param broken how many of them break it
     */
    public record LawTally(String law, int keys, int broken) {}

    /** All of them, also those that are not kept. */
    public int count() {
        return laws.stream().mapToInt(LawTally::broken).sum();
    }

    public boolean isClean() {
        return count() == 0;
    }
}
