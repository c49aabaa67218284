package dev.semel.client;

import java.time.Duration;
import java.time.Instant;

/** The time by which a client waits and gives up. Tests put in one that does not wait. Safe for use by any thread. */
public interface ClientTime {
    /** The time of this machine. */
    ClientTime SYSTEM = new ClientTime() {
        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
            Thread.sleep(pause);
        }
    };

    Instant now();

    /** Time that only passes, from anywhere: what patience is measured by, for a clock may be set back. */
    default long nanos() {
        Instant now = now();
        return now.getEpochSecond() * 1_000_000_000 + now.getNano();
    }

    void sleep(Duration pause) throws InterruptedException;
}
