package dev.semel.broker.webhook.http;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Ends a request in time, also one whose answer comes byte by byte: its socket is closed, whatever it is doing. */
final class Deadline implements AutoCloseable {
    private final long at;
    private final Socket socket;
    private final ScheduledFuture<?> closing;
    private volatile boolean reached;

    Deadline(ScheduledExecutorService clock, long atNanos, Socket socket) {
        this.at = atNanos;
        this.socket = socket;
        this.closing = clock.schedule(this::reach, atNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void reach() {
        reached = true;
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing more can be done, and the reader has a time-out of its own.
        }
    }

    /** What is left, in milliseconds. */
    int left() throws IOException {
        long millis = Duration.ofNanos(at - System.nanoTime()).toMillis();
        if (millis <= 0) throw new java.net.SocketTimeoutException("there was no time left");
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    boolean isReached() {
        return reached || System.nanoTime() - at >= 0;
    }

    @Override
    public void close() {
        closing.cancel(false);
    }
}
