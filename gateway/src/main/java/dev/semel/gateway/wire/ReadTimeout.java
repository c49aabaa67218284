package dev.semel.gateway.wire;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs an action when what is being read is not complete in time. Used on the connection's event loop only. */
final class ReadTimeout {
    private final Channel channel;
    private final Duration after;
    private final Runnable action;
    private @Nullable Future<?> timer;

    ReadTimeout(Channel channel, Duration after, Runnable action) {
        this.channel = channel;
        this.after = after;
        this.action = action;
    }

    /** Starts it, unless it runs already. */
    void start() {
        if (timer == null) timer = channel.eventLoop().schedule(this::expire, after.toMillis(), TimeUnit.MILLISECONDS);
    }

    void cancel() {
        if (timer == null) return;
        timer.cancel(false);
        timer = null;
    }

    /** While we do not read, the client is not to blame for what does not come. */
    private void expire() {
        timer = null;
        if (!channel.isOpen()) return;
        if (channel.config().isAutoRead()) action.run();
        else start();
    }
}
