package dev.semel.torture.check;

import java.util.List;

/**
 * What a check found.
 *
 * @param violations no more than {@value #KEPT_PER_LAW} for each law, so that a run in which everything breaks can still be shown
 * @param losses as many of those breaches that are no violation, since the store says that it may lose what showed them: see {@link Losses}
 * @param keys how many keys the history has
 */
public record CheckResult(List<Violation> violations, List<Violation> losses, List<LawTally> laws, int keys) {
    static final int KEPT_PER_LAW = 100;

    /**
     * @param law its sentence
     * @param keys how many keys it says something of
     * @param broken how many of them break it
     * @param lost how many more would, had the store not warned of it
     */
    public record LawTally(String law, int keys, int broken, int lost) {}

    /** All of them, also those that are not kept. */
    public int count() {
        return laws.stream().mapToInt(LawTally::broken).sum();
    }

    /** How many laws were broken by keys that the store has lost, each law of each key counted. */
    public int lossCount() {
        return laws.stream().mapToInt(LawTally::lost).sum();
    }

    /** How many keys ran more often than once, since the store has lost them. */
    public int doubleEffects() {
        return laws.stream()
                .filter(it -> it.law().equals(EffectLaws.AT_MOST_ONE_EFFECT.sentence()))
                .mapToInt(LawTally::lost)
                .sum();
    }

    /** Whether nothing was broken but what the store warns of. */
    public boolean isClean() {
        return count() == 0;
    }
}
