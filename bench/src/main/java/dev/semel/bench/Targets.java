package dev.semel.bench;

/** What the ratios should be. NaN where a figure is shown and nothing is promised. */
public final class Targets {
    public static final double PASS_THROUGH_TO_NGINX = Double.NaN;

    /** On an embedded store. */
    public static final double FRESH_TO_PASS_THROUGH = 0.55;

    /** On an embedded store. */
    public static final double REPLAYS_TO_PASS_THROUGH = 1.8;

    public static final double FRESH_TO_RESTATE = 8;
    public static final double REPLAYS_TO_RESTATE = Double.NaN;
    public static final double STORE_TO_PGBENCH = Double.NaN;
    public static final double LIBRARY_TO_PEER = 1;

    /** The cost of a key must not grow with the number of kept ones: 1.3 times at most. */
    public static final double GROWN_TO_SMALL = 1 / 1.3;

    private Targets() {}
}
