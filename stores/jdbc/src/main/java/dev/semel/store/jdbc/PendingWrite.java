package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A write in a {@link WriteBatcher}, and its caller, which waits to lead a batch or for the result of another's. */
final class PendingWrite<W extends WriteBatcher.Write, R> {
    static final Comparator<PendingWrite<?, ?>> BY_KEY = (one, other) ->
            Arrays.compareUnsigned(one.write.id().digest(), other.write.id().digest());

    private static final Duration FOREVER = Duration.ofDays(3650);

    /** How a wait ended. */
    enum Wait {
        /** The caller is to lead the next batch. */
        LEAD,
        /** Another caller's batch, with this write in it, is over. */
        FINISHED,
        TIMED_OUT
    }

    private enum State {
        QUEUED,
        LEADER,
        WRITTEN,
        TO_WRITE_SINGLY,
        FAILED
    }

    private final W write;
    private final Thread caller = Thread.currentThread();
    private @Nullable R result;
    private @Nullable RuntimeException failure;
    private volatile State state = State.QUEUED;

    PendingWrite(W write) {
        this.write = write;
    }

    W write() {
        return write;
    }

    Wait await(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        while (state == State.QUEUED) {
            long left = deadline - System.nanoTime();
            if (left <= 0) break;
            LockSupport.parkNanos(this, left);
            // As with a statement of its own: an interrupt does not end the wait for the database.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) caller.interrupt();
        return switch (state) {
            case QUEUED -> Wait.TIMED_OUT;
            case LEADER -> Wait.LEAD;
            case WRITTEN, TO_WRITE_SINGLY, FAILED -> Wait.FINISHED;
        };
    }

    /** For a write that is in a batch already, and that batch ends. */
    Wait await() {
        return await(FOREVER);
    }

    void lead() {
        become(State.LEADER);
    }

    void succeed(R result) {
        this.result = result;
        become(State.WRITTEN);
    }

    void writeSingly() {
        become(State.TO_WRITE_SINGLY);
    }

    void fail(@Nullable RuntimeException failure) {
        this.failure = failure;
        become(State.FAILED);
    }

    private void become(State next) {
        state = next;
        if (caller != Thread.currentThread()) LockSupport.unpark(caller);
    }

    boolean isToWriteSingly() {
        return state == State.TO_WRITE_SINGLY;
    }

    /** Each caller gets an exception of its own: the stack trace of another would mislead. */
    R result() {
        if (result != null) return result;
        switch (failure) {
            case StoreException it
            when it.applied() == StoreException.Applied.NO ->
                throw StoreException.notApplied(String.valueOf(it.getMessage()), it);
            case StoreException it -> throw StoreException.unknown(String.valueOf(it.getMessage()), it);
            case null -> throw StoreException.unknown("The round trip ended in an error of its own.", null);
            default -> throw StoreException.unknown("The round trip failed: " + failure, failure);
        }
    }
}
