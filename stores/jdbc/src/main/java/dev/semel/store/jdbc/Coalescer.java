package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets many callers share a round trip, and with it a commit. A caller that finds nobody on the way goes at once, alone. While
 * a trip is out, callers gather; the first of them then leads the next one and takes along who has come since. So nobody
 * waits for company, and the busier the database, the more it is given at a time. A few more lanes are there for trips that
 * are late.
 *
 * <p>There are no threads of its own: a trip is made by one of those whom it is for. Safe for use by any thread.
 *
 * @param <W> what is asked
 * @param <A> what is answered
 */
final class Coalescer<W extends Coalescer.Wish, A> {
    /** A trip that takes longer than this was held up, by a lock or by the network, and must not hold up all others. */
    private static final Duration LATE = Duration.ofMillis(100);

    /** More than these hardly spare anything, and make the others wait. */
    private static final int MOST_WISHES = 128;

    private static final long MOST_BYTES = 1024 * 1024;

    /** Something to be written. */
    interface Wish {
        /** No two wishes of a trip are for the same key: a statement cannot write a row twice. */
        KeyId id();

        /** About how much has to be sent. */
        long bytes();
    }

    /** One round trip: all of it happens or nothing. The answers are in the order of the wishes. */
    interface Trip<W, A> {
        List<A> make(List<W> wishes);
    }

    private final Trip<W, A> trip;
    private final int lanes;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Passenger<W, A>> waiting = new ArrayDeque<>();
    private volatile IntConsumer onTrip = wishes -> {};
    private int out;

    /**
     * @param lanes how many trips may be under way at once, when some of them are late
     * @param patience how long a caller waits for its trip to begin
     */
    Coalescer(Trip<W, A> trip, int lanes, Duration patience) {
        this.trip = trip;
        this.lanes = lanes;
        this.patience = patience;
    }

    A ask(W wish) {
        Passenger<W, A> me = new Passenger<>(wish);
        if (!enter(me)) return lead(me);
        Passenger.Turn turn = me.awaitTurn(LATE);
        if (turn == Passenger.Turn.TIRED) turn = overtake(me) ? Passenger.Turn.LEAD : me.awaitTurn(patience);
        return switch (turn) {
            case LEAD -> lead(me);
            case ANSWERED -> answer(me);
            case TIRED -> withdraw(me);
        };
    }

    /** Whether it has to wait. Where no trip is out, nobody else is waiting. */
    private boolean enter(Passenger<W, A> me) {
        lock.lock();
        try {
            if (out > 0) return waiting.add(me);
            out++;
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it goes by another lane, for the trip that is out does not come back. */
    private boolean overtake(Passenger<W, A> me) {
        lock.lock();
        try {
            if (out >= lanes || !waiting.remove(me)) return false;
            out++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private A lead(Passenger<W, A> me) {
        List<Passenger<W, A>> aboard = board(me);
        List<A> answers = null;
        RuntimeException failure = null;
        try {
            answers = trip.make(aboard.stream().map(Passenger::wish).toList());
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            // The next trip first: it should be on its way while these learn how theirs went.
            passOn();
            arrive(aboard, answers, failure);
        }
        if (answers != null) onTrip.accept(aboard.size());
        return answer(me);
    }

    /** In the order of their keys: two trips that meet in some rows then never wait for each other in a circle. */
    private List<Passenger<W, A>> board(Passenger<W, A> leader) {
        List<Passenger<W, A>> aboard = new ArrayList<>();
        aboard.add(leader);
        lock.lock();
        try {
            if (!waiting.isEmpty()) takeAlong(aboard);
        } finally {
            lock.unlock();
        }
        if (aboard.size() > 1) aboard.sort(Passenger.BY_KEY);
        return aboard;
    }

    private void takeAlong(List<Passenger<W, A>> aboard) {
        Set<KeyId> keys = new HashSet<>();
        keys.add(aboard.getFirst().wish().id());
        long bytes = aboard.getFirst().wish().bytes();
        Iterator<Passenger<W, A>> queue = waiting.iterator();
        while (queue.hasNext() && aboard.size() < MOST_WISHES && bytes < MOST_BYTES) {
            Passenger<W, A> next = queue.next();
            if (!keys.add(next.wish().id())) continue;
            queue.remove();
            bytes += next.wish().bytes();
            aboard.add(next);
        }
    }

    private void passOn() {
        lock.lock();
        try {
            Passenger<W, A> next = waiting.poll();
            if (next == null) out--;
            else next.lead();
        } finally {
            lock.unlock();
        }
    }

    private void arrive(List<Passenger<W, A>> aboard, @Nullable List<A> answers, @Nullable RuntimeException failure) {
        boolean blameless =
                failure instanceof StoreException it && PostgresFailures.wasRefused(it) && aboard.size() > 1;
        for (int i = 0; i < aboard.size(); i++) {
            Passenger<W, A> each = aboard.get(i);
            if (answers != null) each.arrive(answers.get(i));
            else if (blameless) each.goAlone();
            else each.fail(failure);
        }
    }

    private A answer(Passenger<W, A> me) {
        // The server has rolled all of it back, for the sake of one of them: who that is shows when each goes alone.
        return me.isToGoAlone() ? trip.make(List.of(me.wish())).getFirst() : me.answer();
    }

    /** Nothing was sent, unless its trip has begun in this very moment. */
    private A withdraw(Passenger<W, A> me) {
        boolean stillHere;
        lock.lock();
        try {
            stillHere = waiting.remove(me);
        } finally {
            lock.unlock();
        }
        if (stillHere)
            throw StoreException.notApplied("The database is too busy: nothing was sent in " + patience, null);
        return me.awaitTurn() == Passenger.Turn.LEAD ? lead(me) : answer(me);
    }

    /** @param wishes is told after each trip how many it carried */
    void onTrip(IntConsumer wishes) {
        onTrip = wishes;
    }

    /** How many have come and not left yet. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
