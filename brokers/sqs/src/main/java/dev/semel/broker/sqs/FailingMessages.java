package dev.semel.broker.sqs;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Messages of a FIFO queue that have failed and come again. While there are any, messages are received one at a time: those of the
 * same group that came along with a failing one would be received as often as it, and moved to the dead letters with it, although
 * nothing is wrong with them. Safe for use by any thread.
 */
final class FailingMessages {
    /** Somebody else may have handled it meanwhile. */
    private final long rememberedNanos;

    private final Map<String, Long> until = new ConcurrentHashMap<>();

    FailingMessages(Duration remembered) {
        this.rememberedNanos = remembered.toNanos();
    }

    void failed(String id) {
        until.put(id, System.nanoTime() + rememberedNanos);
    }

    void over(String id) {
        until.remove(id);
    }

    boolean any() {
        until.values().removeIf(it -> System.nanoTime() - it > 0);
        return !until.isEmpty();
    }
}
