package dev.semel.gateway.wire;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Rings when something does not come to its end in time. Used on the connection's event loop only. */
final class Alarm {
    private final Channel channel;
    private final Duration after;
    private final Runnable ring;
    private @Nullable Future<?> set;

    Alarm(Channel channel, Duration after, Runnable ring) {
        this.channel = channel;
        this.after = after;
        this.ring = ring;
    }

    /** Sets it, unless it is set already. */
    void set() {
        if (set == null) set = channel.eventLoop().schedule(this::ring, after.toMillis(), TimeUnit.MILLISECONDS);
    }

    void clear() {
        if (set == null) return;
        set.cancel(false);
        set = null;
    }

    /** While we do not read, the client is not to blame for what does not come. */
    private void ring() {
        set = null;
        if (!channel.isOpen()) return;
        if (channel.config().isAutoRead()) ring.run();
        else set();
    }
}
