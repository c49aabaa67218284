package dev.semel.bench.report;

/**
 * One thing that is measured once a round.
 *
 * @param subject who does it, for example a kind of store or a peer
 * @param work what it does, for example fresh keys
 * @param callers how many ask at the same time
 */
public record Scenario(String subject, String work, int callers) {
    @Override
    public String toString() {
        return subject + ", " + work + ", " + callers + " callers";
    }
}
