package dev.semel.broker.webhook.delivery;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** How many requests this sender has under way. A slow endpoint has no more than its share of them. Safe for use by any thread. */
final class InFlight {
    private final int most;
    private final int mostPerEndpoint;
    private final Map<UUID, Integer> byEndpoint = new HashMap<>();
    private int all;

    InFlight(int most, int mostPerEndpoint) {
        this.most = most;
        this.mostPerEndpoint = mostPerEndpoint;
    }

    synchronized int to(UUID endpoint) {
        return byEndpoint.getOrDefault(endpoint, 0);
    }

    synchronized int roomFor(UUID endpoint) {
        return Math.min(most - all, mostPerEndpoint - to(endpoint));
    }

    synchronized void begin(UUID endpoint) {
        byEndpoint.merge(endpoint, 1, Integer::sum);
        all++;
    }

    synchronized void end(UUID endpoint) {
        byEndpoint.computeIfPresent(endpoint, (id, count) -> count == 1 ? null : count - 1);
        all--;
        if (all == 0) notifyAll();
    }

    /** Waits until nothing is under way, for so long at most. */
    synchronized void awaitNone(java.time.Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        while (all > 0 && until - System.nanoTime() > 0) wait(Math.max(1, (until - System.nanoTime()) / 1_000_000));
    }
}
