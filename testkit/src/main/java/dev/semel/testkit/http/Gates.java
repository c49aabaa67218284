package dev.semel.testkit.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One gate per scenario and attempt: the upstream stops in front of it until the test opens it. Safe for use by any
 * thread.
 */
public final class Gates {
    private static final long LONGEST_STAY_MINUTES = 2;

    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

    /** Lets everyone of this scenario pass, now and later. */
    public void open(String scenario) {
        gate(scenario).countDown();
        gates.forEach((name, gate) -> {
            if (name.startsWith(scenario + "#")) gate.countDown();
        });
    }

    /** Lets only this attempt of the scenario pass, now or later. */
    public void open(String scenario, int attempt) {
        gate(scenario + "#" + attempt).countDown();
    }

    /** Stops here until either gate is open. */
    void await(String scenario, int attempt) {
        CountDownLatch own = gate(scenario + "#" + attempt);
        if (gate(scenario).getCount() == 0) return;
        try {
            if (!own.await(LONGEST_STAY_MINUTES, TimeUnit.MINUTES))
                throw new IllegalStateException("Nobody opened the gate of " + scenario);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CountDownLatch gate(String name) {
        return gates.computeIfAbsent(name, it -> new CountDownLatch(1));
    }
}
