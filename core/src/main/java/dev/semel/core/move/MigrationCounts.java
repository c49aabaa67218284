package dev.semel.core.move;

import dev.semel.core.key.KeyId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What a migration has done so far; safe for any number of threads. */
final class MigrationCounts {
    private static final int MOST_NAMED = 20;

    private final AtomicLong looked = new AtomicLong();
    private final AtomicLong copied = new AtomicLong();
    private final AtomicLong withoutBody = new AtomicLong();
    private final AtomicLong movedBefore = new AtomicLong();
    private final AtomicLong running = new AtomicLong();
    private final AtomicLong forgotten = new AtomicLong();
    private final AtomicLong lifted = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final List<String> leftOut = new ArrayList<>();

    void looked() {
        looked.incrementAndGet();
    }

    void copied(boolean bodyLost) {
        copied.incrementAndGet();
        if (bodyLost) withoutBody.incrementAndGet();
    }

    void movedBefore() {
        movedBefore.incrementAndGet();
    }

    void running() {
        running.incrementAndGet();
    }

    void forgotten() {
        forgotten.incrementAndGet();
    }

    void lifted() {
        lifted.incrementAndGet();
    }

    void leftOut(KeyId id, String why) {
        failed.incrementAndGet();
        synchronized (leftOut) {
            if (leftOut.size() < MOST_NAMED) leftOut.add(id + ": " + why);
        }
    }

    MigrationReport report() {
        synchronized (leftOut) {
            return new MigrationReport(
                    looked.get(),
                    copied.get(),
                    withoutBody.get(),
                    movedBefore.get(),
                    running.get(),
                    forgotten.get(),
                    lifted.get(),
                    failed.get(),
                    leftOut);
        }
    }
}
