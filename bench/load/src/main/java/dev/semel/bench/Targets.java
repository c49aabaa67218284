package dev.semel.bench;

/** What the ratios should be. */
public final class Targets {
    public static final double PASS_THROUGH_TO_NGINX = 0.55;

    /** On an embedded store. */
    public static final double REPLAYS_TO_PASS_THROUGH = 1.8;

    public static final double FRESH_TO_RESTATE = 8;
    public static final double REPLAYS_TO_RESTATE = 4;
    public static final double STORE_TO_PGBENCH = 2;
    public static final double LIBRARY_TO_PEER = 3;
    public static final double OUTBOX_TO_PEER = 3;

    /** At most 1.3 times the time of the transaction that is joined. */
    public static final double JOINED_TO_BARE = 0.77;

    /** The cost of a key must not grow with the number of kept ones. */
    public static final double GROWN_TO_SMALL = 0.8;

    /** On Redis, which syncs, when many come at once. */
    public static final double REPLAYS_ON_REDIS = 0.8;

    public static final double FRESH_ON_REDIS = 0.35;

    public static final int MANY = 256;

    private Targets() {}

    /** On an embedded store. The more come at once, the more share a sync. */
    public static double freshToPassThrough(int connections) {
        return connections >= 256 ? 0.7 : 0.6;
    }
}
