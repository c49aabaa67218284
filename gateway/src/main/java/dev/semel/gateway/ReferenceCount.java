package dev.semel.gateway;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the references to something, and closes it when the last is released. For use by any thread. */
final class ReferenceCount {
    private final AtomicInteger count = new AtomicInteger(1);
    private final Runnable close;

    /** Whoever makes it holds the first reference. */
    ReferenceCount(Runnable close) {
        this.close = close;
    }

    /** Only while another reference is held. */
    void retain() {
        count.incrementAndGet();
    }

    void release() {
        if (count.decrementAndGet() == 0) close.run();
    }
}
