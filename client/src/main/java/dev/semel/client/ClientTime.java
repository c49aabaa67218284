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
        public void sleep(Duration pause) throws InterruptedException {
            Thread.sleep(pause);
        }
    };

    Instant now();

    void sleep(Duration pause) throws InterruptedException;
}
