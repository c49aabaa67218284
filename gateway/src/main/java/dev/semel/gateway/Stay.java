package dev.semel.gateway;

import java.util.concurrent.atomic.AtomicBoolean;

/** That a request may still need what it uses. Ends once, whatever becomes of its client. */
final class Stay {
    private final Users users;
    private final AtomicBoolean over = new AtomicBoolean();
    private boolean taken;

    Stay(Users users) {
        this.users = users;
    }

    /** The request is whole: from now on it goes on without its client. On the event loop. */
    void take() {
        taken = true;
    }

    /** The client has gone. On the event loop. */
    void endUnlessTaken() {
        if (!taken) end();
    }

    void end() {
        if (over.compareAndSet(false, true)) users.leave();
    }
}
