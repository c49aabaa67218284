package dev.semel.core;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.doubt.Doubts;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Goes on with durable operations that were cut off, when the sweep comes across them: a few at a time, with growing pauses
 * between the attempts of one, and not for ever.
 */
final class Resumptions {
    private static final int MOST_AT_ONCE = 8;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final SemelListener listener;
    private final Map<String, DurableOperation<?, ?>> operations = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);

    Resumptions(SemelListener listener) {
        this.listener = listener;
    }

    void add(String name, DurableOperation<?, ?> operation) {
        if (operations.putIfAbsent(name, operation) != null)
            throw new IllegalStateException(
                    "There is a durable operation '" + name + "' already. Make it once, and keep it.");
    }

    /** @return whether the key is one to go on with; it is seen to then, now or when the sweep comes by again */
    boolean take(Seen seen, Doubts doubts) {
        KeyRecord record = seen.record();
        DurableOperation<?, ?> operation = cutOff(seen);
        if (operation == null) return false;
        Duration early = Duration.between(seen.now(), resumeFrom(record));
        if (early.isPositive()) doubts.lookInto(record.id(), early);
        else if (record.attempt() >= operation.mostAttempts())
            doubts.giveUp(seen, "it was not brought to an end in " + record.attempt() + " attempts");
        else if (places.tryAcquire())
            Thread.ofVirtual().name("semel-resume").start(() -> resume(operation, record, doubts));
        return true;
    }

    private @Nullable DurableOperation<?, ?> cutOff(Seen seen) {
        KeyRecord record = seen.record();
        boolean silent = record.state() instanceof KeyState.Held held
                && held.isSilent(seen.now())
                && held.guarantee() == Guarantee.AT_LEAST_ONCE;
        return silent && !record.remote() && !record.memo().isEmpty()
                ? operations.get(record.id().operation())
                : null;
    }

    /** By the record, so that many processes together are no more eager than one. After the first attempt it is at once. */
    private static Instant resumeFrom(KeyRecord record) {
        Instant silentSince = ((KeyState.Held) record.state()).leaseUntil();
        return record.attempt() == 1 ? silentSince : silentSince.plus(pauseAfter(record.attempt()));
    }

    private void resume(DurableOperation<?, ?> operation, KeyRecord record, Doubts doubts) {
        try {
            listener.on(new SemelEvent.Resumed(record.id(), record.attempt() + 1));
            operation.resume(record);
        } catch (Exception e) {
            doubts.lookInto(record.id(), jittered(pauseAfter(record.attempt() + 1)));
            String task = "go on with " + record.id() + ", attempt " + (record.attempt() + 1);
            listener.on(new SemelEvent.BackgroundTaskFailed(
                    task, e instanceof RuntimeException it ? it : new IllegalStateException(e)));
        } finally {
            places.release();
        }
    }

    private static Duration pauseAfter(int attempts) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private static Duration jittered(Duration pause) {
        return pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() / 4 + 1));
    }
}
