package dev.semel.gateway.metrics;

import java.time.Duration;

/**
 * Every meter of Semel's own, in Micrometer's spelling. {@code docs/metrics.md} has them as Prometheus shows them, with
 * their meaning. Labels have few values: names of routes come from the configuration, and no path, tenant or key of a
 * client is ever one.
 */
final class MeterNames {
    static final String REQUESTS = "semel.requests";
    static final String REQUEST_TIME = "semel.request";
    static final String DUPLICATES_ABSORBED = "semel.duplicates.absorbed";
    static final String IN_FLIGHT = "semel.in.flight";
    static final String WAITING = "semel.waiting";
    static final String LEASES_LOST = "semel.leases.lost";
    static final String RENEWALS_FAILED = "semel.lease.renewals.failed";

    static final String IN_DOUBT = "semel.in.doubt";
    static final String DOUBTS_BEGUN = "semel.doubts.begun";
    static final String DOUBTS_ENDED = "semel.doubts.ended";
    static final String PROBES = "semel.probes";

    static final String UPSTREAM_TIME = "semel.upstream";
    static final String UPSTREAM_REACHABLE = "semel.upstream.reachable";

    static final String STORE_TIME = "semel.store";
    static final String STORE_FAILURES = "semel.store.failures";
    static final String COMMIT_WRITES = "semel.store.commit.writes";

    static final String SWEEP_RECORDS = "semel.sweep.records";
    static final String SWEEP_PASSES = "semel.sweep.passes";
    static final String SWEEP_PASS_RECORDS = "semel.sweep.pass.records";
    static final String SWEEP_AGE = "semel.sweep.age";
    static final String SWEEP_OVERDUE = "semel.sweep.overdue";

    static final String BODY_MEMORY = "semel.body.memory";
    static final String BODY_MEMORY_LIMIT = "semel.body.memory.limit";

    static final String WEBHOOKS_DELIVERED = "semel.webhooks.delivered";
    static final String WEBHOOKS_RETRIED = "semel.webhooks.retried";
    static final String WEBHOOKS_PARKED = "semel.webhooks.parked";
    static final String WEBHOOKS_WAITING = "semel.webhooks.waiting";
    static final String WEBHOOKS_OLDEST = "semel.webhooks.oldest";
    static final String WEBHOOKS_DEAD = "semel.webhooks.dead.letters";

    static final String ROUTE = "route";
    static final String OUTCOME = "outcome";
    static final String PROBLEM = "problem";
    static final String RESULT = "result";
    static final String UPSTREAM = "upstream";
    static final String CALL = "call";
    static final String BY = "by";
    static final String FOUND = "found";
    static final String DONE = "done";

    /** Upper bounds of the buckets of what clients wait for. */
    static final Duration[] REQUEST_BUCKETS =
            millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);

    static final Duration[] STORE_BUCKETS = millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000);

    static final double[] COMMIT_BUCKETS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

    private MeterNames() {}

    private static Duration[] millis(long... bounds) {
        Duration[] buckets = new Duration[bounds.length];
        for (int i = 0; i < bounds.length; i++) buckets[i] = Duration.ofMillis(bounds[i]);
        return buckets;
    }
}
