package dev.semel.bench;

/** The kinds of traffic that are compared. Pass-through comes first: the others are measured against it. */
public enum Workload {
    PASS_THROUGH("pass-through"),
    FRESH_KEYS("fresh keys"),
    REPLAYS("replays");

    private final String label;

    Workload(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
