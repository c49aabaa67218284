package dev.semel.testkit.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the upstream saw and did, by the scenario that a request belongs to (its {@code X-Scenario} header) and by key.
 * Safe for use by any thread.
 */
public final class Ledger {
    /** Names the scenario of a request; an ordinary end-to-end header to everything in between. */
    public static final String SCENARIO = "X-Scenario";

    private static final String NONE = "(none)";

    private final Map<String, List<SeenRequest>> seen = new HashMap<>();
    private final Map<String, Integer> effects = new HashMap<>();
    private final Map<String, Integer> effectsByKey = new HashMap<>();
    private final List<String> complaints = new ArrayList<>();

    synchronized void arrived(SeenRequest request) {
        seen.computeIfAbsent(scenarioOf(request), id -> new ArrayList<>()).add(request);
        notifyAll();
    }

    synchronized void effect(SeenRequest request) {
        effects.merge(scenarioOf(request), 1, Integer::sum);
        effectsByKey.merge(keyOf(request), 1, Integer::sum);
    }

    synchronized void complain(String what) {
        complaints.add(what);
    }

    static String scenarioOf(SeenRequest request) {
        String id = request.headers().first(SCENARIO);
        return id == null ? NONE : id;
    }

    static String keyOf(SeenRequest request) {
        String key = request.headers().first("Idempotency-Key");
        if (key == null) return NONE;
        return key.length() > 1 && key.startsWith("\"") && key.endsWith("\"")
                ? key.substring(1, key.length() - 1)
                : key;
    }

    /** How often the operation happened in this scenario: what it is all about. */
    public synchronized int effects(String scenario) {
        return effects.getOrDefault(scenario, 0);
    }

    /** How often the operation happened under this key, quoted or not. */
    public synchronized int effectsOfKey(String key) {
        return effectsByKey.getOrDefault(key, 0);
    }

    /** The requests of a scenario in the order in which they came. */
    public synchronized List<SeenRequest> seen(String scenario) {
        return List.copyOf(seen.getOrDefault(scenario, List.of()));
    }

    /** Requests that belong to no scenario: nobody sent them. */
    public List<SeenRequest> strays() {
        return seen(NONE);
    }

    /** What came that was no HTTP. */
    public synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Waits until so many requests of the scenario have come. False when time is up before that. */
    public synchronized boolean awaitArrivals(String scenario, int count, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (seen(scenario).size() < count) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) return false;
            wait(left);
        }
        return true;
    }
}
