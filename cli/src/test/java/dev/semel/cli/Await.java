package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what another process does, which can only be looked at now and then. */
final class Await {
    static final Duration LONG = Duration.ofSeconds(60);
    private static final long PAUSE_NANOS = 5_000_000;

    private Await() {}

    interface Check {
        boolean holds() throws Exception;
    }

    static void until(String what, Check check) throws Exception {
        until(() -> what, check);
    }

    static void until(Supplier<String> what, Check check) throws Exception {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (!check.holds()) {
            if (System.nanoTime() - deadline > 0) fail("waited in vain: " + what.get());
            pause(PAUSE_NANOS);
        }
    }

    static void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
