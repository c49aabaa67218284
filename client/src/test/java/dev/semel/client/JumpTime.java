package dev.semel.client;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Time that jumps over every pause, and keeps them. */
final class JumpTime implements ClientTime {
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public void sleep(Duration pause) throws InterruptedException {
        if (Thread.interrupted()) throw new InterruptedException();
        pauses.add(pause);
        pass(pause);
    }

    synchronized void pass(Duration time) {
        now = now.plus(time);
    }

    List<Duration> pauses() {
        return pauses;
    }
}
