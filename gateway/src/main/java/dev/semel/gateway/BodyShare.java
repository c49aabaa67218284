package dev.semel.gateway;

import dev.semel.gateway.BodyBudget.Purpose;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one request holds of the {@link BodyBudget}, from its head until its answer has left. Once it is released it holds
 * nothing any more, whoever still asks: so it can be released on every way out. Safe for use by any thread.
 */
final class BodyShare {
    private static final long RELEASED = -1;

    private final BodyBudget budget;
    private final AtomicLong held = new AtomicLong();

    BodyShare(BodyBudget budget) {
        this.budget = budget;
    }

    /** The largest body of a request that there can ever be room for. */
    long largestRequest() {
        return budget.most(Purpose.LARGE_REQUEST);
    }

    /** To be called once, before the body is read. @return whether there is room for a body of this length */
    boolean admits(long announced) {
        Purpose purpose = Purpose.ofRequest(announced);
        return budget.hasRoom(announced, purpose) && grow(BodyBudget.OVERHEAD, purpose);
    }

    /** @return whether there was room */
    boolean grow(long bytes, Purpose purpose) {
        while (true) {
            long now = held.get();
            if (now == RELEASED || !budget.take(bytes, purpose)) return false;
            if (held.compareAndSet(now, now + bytes)) return true;
            budget.giveBack(bytes);
        }
    }

    /**
     * From now on only an answer of this length is held. One that was read from the upstream has its room already.
     *
     * @return whether there is room for it
     */
    boolean keepOnly(long answer) {
        long now = held.get();
        if (now == RELEASED) return true;
        long more = BodyBudget.OVERHEAD + answer - now;
        if (more > 0 && answer > BodyBudget.SMALL) return grow(more, Purpose.REPLAY);
        if (!held.compareAndSet(now, now + more)) return true;
        if (more > 0) budget.takeAnyway(more);
        else budget.giveBack(-more);
        return true;
    }

    void release() {
        long last = held.getAndSet(RELEASED);
        if (last > 0) budget.giveBack(last);
    }
}
