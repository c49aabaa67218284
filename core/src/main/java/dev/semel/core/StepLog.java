package dev.semel.core;

import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.Memo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one run of an operation. A step that an earlier run finished is not run again: what it gave is given. What a
 * step gives is durable before the next one begins. For one thread at a time.
 */
final class StepLog {
    private static final int LONGEST_NAME = 200;

    /** What the steps leave free, so that there is always room for what the operation ends with. */
    private static final int KEPT_FREE = 1024;

    private final Lease lease;
    private final Guarantee guarantee;
    private final Deque<Undo> undos = new ArrayDeque<>();
    private final Set<String> reached = new HashSet<>();
    private final @Nullable Exception failure;
    private Progress progress;
    private boolean failed;

    private interface Undo {
        void run() throws Exception;
    }

    /** @param failure what an earlier run ended with, when its steps are to be undone */
    StepLog(Lease lease, Guarantee guarantee, Progress progress, @Nullable Exception failure) {
        this.lease = lease;
        this.guarantee = guarantee;
        this.progress = progress;
        this.failure = failure;
    }

    <V, X extends Exception> V step(
            String name, Codec<V> codec, Step.Effect<V, X> effect, Step.@Nullable Compensation<V> compensation)
            throws X {
        check(name);
        Progress.Finished finished = progress.steps().get(name);
        if (finished != null) {
            V value = read(name, codec, finished);
            if (!finished.undone()) undoWith(name, value, finished, compensation);
            return value;
        }
        if (failure != null) throw StepLog.<X>asThrown(failure);
        requireHeld(name);
        // S1: from here on the step may have happened; another run would run it again, with the same downstream key.
        V value = effect.run(new Step(lease, name, StableKeys.of(lease.id(), "step:" + name)));
        // S2: it has happened, and is not recorded yet.
        Progress.Finished now = new Progress.Finished(encode(name, codec, value), false);
        note(progress.with(name, now), name, Memo.MOST_BYTES - KEPT_FREE);
        // S3: recorded: no later run runs it again.
        undoWith(name, value, now, compensation);
        return value;
    }

    private void check(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME)
            throw new IllegalArgumentException(
                    "The name of a step has 1 to " + LONGEST_NAME + " characters, not " + name.length() + ".");
        if (guarantee != Guarantee.AT_LEAST_ONCE)
            throw failure(
                    "Step '" + name + "' was not run: steps need withGuarantee(AT_LEAST_ONCE). With any other guarantee"
                            + " an operation that was cut off is not run again, and its steps could not go on.",
                    null);
        if (!reached.add(name))
            throw failure(
                    "There is a second step '" + name
                            + "' in one run. A step is known by its name: number those of a loop.",
                    null);
    }

    private <V> byte[] encode(String name, Codec<V> codec, V value) {
        try {
            return codec.encode(value);
        } catch (RuntimeException e) {
            throw failure("Step '" + name + "' has run, but what it gave cannot be written: " + e.getMessage(), e);
        }
    }

    private <V> V read(String name, Codec<V> codec, Progress.Finished finished) {
        try {
            return codec.decode(finished.value());
        } catch (RuntimeException e) {
            throw failure("What step '" + name + "' gave in an earlier run cannot be read; did its type change?", e);
        }
    }

    private <V> void undoWith(
            String name, V value, Progress.Finished finished, Step.@Nullable Compensation<V> compensation) {
        if (compensation == null) return;
        undos.push(() -> {
            requireHeld("undo " + name);
            compensation.run(value, new Step(lease, name, StableKeys.of(lease.id(), "undo:" + name)));
            note(progress.with(name, new Progress.Finished(finished.value(), true)), "undo " + name, Memo.MOST_BYTES);
        });
    }

    private void note(Progress next, String name, int most) {
        byte[] bytes = next.bytes();
        if (bytes.length > most)
            throw failure(
                    "Step '" + name + "' has run, but what it gave cannot be kept: all steps of an operation together,"
                            + " with its request, may give " + most + " bytes. Let it give less, such as an id.",
                    null);
        switch (lease.note(Memo.of(bytes))) {
            case Settlement.Accepted it -> progress = next;
            case Settlement.Superseded it -> throw overtaken(name);
            case Settlement.Unrecorded it -> {
                failed = true;
                throw it.cause();
            }
        }
    }

    private void requireHeld(String name) {
        if (!lease.isSurelyHeld()) throw overtaken(name);
    }

    private IllegalStateException overtaken(String name) {
        return failure(
                "This run of the operation has ended at step '" + name + "': another run has taken over, or may have.",
                null);
    }

    private IllegalStateException failure(String message, @Nullable Throwable cause) {
        failed = true;
        return new IllegalStateException(message, cause);
    }

    /** Whether something went wrong with the steps themselves, whatever the effect made of the exception. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * What was asked for, as it was kept for the background.
     *
     * @throws IllegalStateException when it cannot be read
     */
    <R> R request(Codec<R> requests) {
        Progress.Bytes kept = progress.request();
        if (kept == null) throw failure("Nothing was kept to go on with " + lease.id() + ".", null);
        try {
            return requests.decode(kept.value());
        } catch (RuntimeException e) {
            throw failure("The request of " + lease.id() + " cannot be read any more; did its type change?", e);
        }
    }

    /**
     * Undoes the finished steps, the latest first.
     *
     * @param why what the operation ends with
     * @throws IllegalStateException when a finished step was not met in this run, so that nobody here knows what undoes it
     */
    void undo(byte[] why) throws Exception {
        // S4: once this is written down, every later run goes on undoing, and does nothing else.
        if (!undos.isEmpty() && progress.failure() == null) note(progress.failed(why), "failure", Memo.MOST_BYTES);
        progress.steps().forEach((step, finished) -> {
            if (!finished.undone() && !reached.contains(step))
                throw new IllegalStateException(
                        "Step '" + step + "' of an earlier run does not occur in this one, so it cannot be undone.");
        });
        while (!undos.isEmpty()) {
            undos.peek().run();
            undos.pop();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X asThrown(Throwable failure) throws X {
        throw (X) failure;
    }
}
