package dev.semel.gateway;

import java.util.concurrent.atomic.AtomicBoolean;

/** The reference of one request to its routes. Released once, whatever becomes of its client. */
final class RequestReference {
    private final ReferenceCount count;
    private final AtomicBoolean released = new AtomicBoolean();
    private boolean outlivesClient;

    RequestReference(ReferenceCount count) {
        this.count = count;
    }

    /** The request is whole: from now on it goes on without its client. On the event loop. */
    void outliveClient() {
        outlivesClient = true;
    }

    /** The client has gone. On the event loop. */
    void releaseWithClient() {
        if (!outlivesClient) release();
    }

    void release() {
        if (released.compareAndSet(false, true)) count.release();
    }
}
