package dev.semel.gateway;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts who uses something, and closes it when the last has left. For use by any thread. */
final class Users {
    private final AtomicInteger count = new AtomicInteger(1);
    private final Runnable close;

    /** The one who makes it is its first user. */
    Users(Runnable close) {
        this.close = close;
    }

    /** Only for someone who got here through another user that has not left yet. */
    void enter() {
        count.incrementAndGet();
    }

    void leave() {
        if (count.decrementAndGet() == 0) close.run();
    }
}
