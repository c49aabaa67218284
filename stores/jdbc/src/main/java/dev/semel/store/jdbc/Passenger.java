package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A caller on its way through a {@link Coalescer}: waits, is told to lead, or is taken along and told how it went. */
final class Passenger<W extends Coalescer.Wish, A> {
    static final Comparator<Passenger<?, ?>> BY_KEY = (one, other) ->
            Arrays.compareUnsigned(one.wish.id().digest(), other.wish.id().digest());

    private static final Duration FOR_EVER = Duration.ofDays(3650);

    enum Turn {
        /** To make the next trip. */
        LEAD,
        /** Somebody else's trip is over, and this was on it. */
        ANSWERED,
        /** Neither, and the time is up. */
        TIRED
    }

    private enum State {
        WAITING,
        LEADING,
        ARRIVED,
        TO_GO_ALONE,
        FAILED
    }

    private final W wish;
    private final Thread caller = Thread.currentThread();
    private @Nullable A answer;
    private @Nullable RuntimeException failure;
    private volatile State state = State.WAITING;

    Passenger(W wish) {
        this.wish = wish;
    }

    W wish() {
        return wish;
    }

    Turn awaitTurn(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        while (state == State.WAITING) {
            long left = deadline - System.nanoTime();
            if (left <= 0) break;
            LockSupport.parkNanos(this, left);
            // As with a statement of one's own: who asks a database waits for its answer.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) caller.interrupt();
        return turn();
    }

    /** For one who is on a trip already, and that ends. */
    Turn awaitTurn() {
        return awaitTurn(FOR_EVER);
    }

    private Turn turn() {
        return switch (state) {
            case WAITING -> Turn.TIRED;
            case LEADING -> Turn.LEAD;
            case ARRIVED, TO_GO_ALONE, FAILED -> Turn.ANSWERED;
        };
    }

    void lead() {
        become(State.LEADING);
    }

    void arrive(A answer) {
        this.answer = answer;
        become(State.ARRIVED);
    }

    void goAlone() {
        become(State.TO_GO_ALONE);
    }

    void fail(@Nullable RuntimeException failure) {
        this.failure = failure;
        become(State.FAILED);
    }

    private void become(State next) {
        state = next;
        if (caller != Thread.currentThread()) LockSupport.unpark(caller);
    }

    boolean isToGoAlone() {
        return state == State.TO_GO_ALONE;
    }

    /** Each gets an exception of its own: the stack of another caller would mislead. */
    A answer() {
        if (answer != null) return answer;
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
