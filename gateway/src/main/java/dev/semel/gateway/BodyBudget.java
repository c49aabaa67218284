package dev.semel.gateway;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many bytes of bodies all connections together may hold in memory. Large request bodies may take half of it, small
 * ones and replays three quarters: both can be had again by asking once more. The last quarter is for answers of
 * operations that have just run. Safe for use by any thread.
 */
final class BodyBudget {
    /** A body up to this size is small. */
    static final int SMALL = 16 * 1024;

    /** What each request counts besides its bodies: its headers, its thread, its place in queues. */
    static final int OVERHEAD = 4 * 1024;

    private static final int PARTS = 4;

    private final long limit;
    private final AtomicLong inUse = new AtomicLong();
    private final LongAdder refusals = new LongAdder();

    BodyBudget(long limit) {
        this.limit = limit;
    }

    /** What room is asked for. The later ones may still have it when the earlier ones may not. */
    enum Purpose {
        LARGE_REQUEST(2),
        SMALL_REQUEST(3),
        REPLAY(3),
        ANSWER(PARTS);

        private final int parts;

        Purpose(int parts) {
            this.parts = parts;
        }

        static Purpose ofRequest(long bytes) {
            return bytes > SMALL ? LARGE_REQUEST : SMALL_REQUEST;
        }
    }

    /** How many bytes are held right now. */
    long inUse() {
        return inUse.get();
    }

    long limit() {
        return limit;
    }

    /** How often there was no room, since the start. */
    long refusals() {
        return refusals.sum();
    }

    /** The largest body that there can be room for. */
    long most(Purpose purpose) {
        return limit / PARTS * purpose.parts - OVERHEAD;
    }

    /** Whether a body of this size would fit now. Nothing is reserved: whoever only announces a body holds nothing. */
    boolean hasRoom(long bytes, Purpose purpose) {
        boolean fits = inUse.get() + OVERHEAD + bytes <= ceiling(purpose);
        if (!fits) refusals.increment();
        return fits;
    }

    /** @return whether there was room; if not, nothing has changed */
    boolean take(long bytes, Purpose purpose) {
        if (inUse.addAndGet(bytes) <= ceiling(purpose)) return true;
        inUse.addAndGet(-bytes);
        refusals.increment();
        return false;
    }

    /** For what is too small to be worth a refusal, and counts all the same. */
    void takeAnyway(long bytes) {
        inUse.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        inUse.addAndGet(-bytes);
    }

    private long ceiling(Purpose purpose) {
        return limit / PARTS * purpose.parts;
    }
}
