package dev.semel.gateway.wire;

import dev.semel.gateway.config.ConnectionLimits;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;

/** The limits of one listener, and how many connections it has. Safe for use by any thread. */
final class ConnectionLimiter {
    private final ConnectionLimits limits;
    private final AtomicInteger open = new AtomicInteger();

    ConnectionLimiter(ConnectionLimits limits) {
        this.limits = limits;
    }

    ConnectionLimits limits() {
        return limits;
    }

    /** Counts a connection in, and out again when it is closed. @return whether there is room for it */
    boolean admits(Channel channel) {
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        return open.incrementAndGet() <= limits.connections();
    }
}
