package dev.semel.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Says yes at most every ten seconds: for what repeats in a log. */
final class Occasion {
    private static final long BETWEEN = Duration.ofSeconds(10).toNanos();

    private final AtomicLong next = new AtomicLong(System.nanoTime());

    boolean isDue() {
        long now = System.nanoTime();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + BETWEEN);
    }
}
