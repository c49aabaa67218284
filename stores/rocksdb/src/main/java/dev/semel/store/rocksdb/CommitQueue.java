package dev.semel.store.rocksdb;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where writes wait for the committer: a stack of all that came since it last looked. A caller adds with one swap, and
 * only the first of many wakes the committer.
 */
final class CommitQueue {
    private static final Write SHUT = new Write.Clean(List.of());

    private final AtomicReference<@Nullable Write> newest = new AtomicReference<>();
    private volatile boolean stopping;

    /** False when the queue is shut: the write is not in it and never will be. */
    boolean add(Write write, Thread committer) {
        Write last;
        do {
            last = newest.get();
            if (last == SHUT) return false;
            write.previous = last;
        } while (!newest.compareAndSet(last, write));
        if (last == null) LockSupport.unpark(committer);
        return true;
    }

    /** Takes all there is, oldest first, and waits while there is nothing. False when the queue is empty and shut. */
    boolean takeAll(ArrayDeque<Write> into) {
        while (true) {
            Write last = newest.get();
            if (last == SHUT) return false;
            if (last == null && !stopping) LockSupport.park(this);
            else if (newest.compareAndSet(last, stopping ? SHUT : null)) return unstack(last, into);
        }
    }

    /** Takes all there is without waiting. */
    void drain(ArrayDeque<Write> into) {
        Write last = newest.get();
        while (last != SHUT && !newest.compareAndSet(last, null)) last = newest.get();
        if (last != SHUT) unstack(last, into);
    }

    /** Waits so long, or until it is to stop. @return whether it is to stop */
    boolean pause(long nanos) {
        long deadline = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !stopping; left = deadline - System.nanoTime())
            LockSupport.parkNanos(this, left);
        return stopping;
    }

    /** Lets everyone go who waits here. Those that come later are seen by the next call. */
    void abandon() {
        for (Write write = newest.get(); write != null && write != SHUT; write = write.previous) write.abandon();
    }

    private static boolean unstack(@Nullable Write last, ArrayDeque<Write> into) {
        for (Write write = last; write != null; write = write.previous) into.addFirst(write);
        return last != null;
    }

    /** How many wait, a moment ago. */
    int size() {
        int size = 0;
        for (Write write = newest.get(); write != null && write != SHUT; write = write.previous) size++;
        return size;
    }

    /** The committer is to finish what is there, and then to end. */
    void stop(Thread committer) {
        stopping = true;
        LockSupport.unpark(committer);
    }
}
