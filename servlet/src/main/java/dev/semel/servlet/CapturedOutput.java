package dev.semel.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The body of a response: kept up to a limit, and beyond it passed on, all that was kept first. For one thread at a time. */
final class CapturedOutput extends ServletOutputStream {
    private final long limit;
    private final Overflow overflow;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private @Nullable OutputStream live;
    private long announced = -1;
    private long written;
    private boolean closed;
    private boolean discarding;

    /** Where everything goes from the moment when there is too much of it. */
    @FunctionalInterface
    interface Overflow {
        /** @param announced how long the body was said to be; negative when nothing was said */
        OutputStream open(long announced) throws IOException;
    }

    CapturedOutput(long limit, Overflow overflow) {
        this.limit = limit;
        this.overflow = overflow;
    }

    /**
     * Nothing is written beyond this length.
     *
     * @param length negative for any
     */
    void announce(long length) {
        announced = length;
    }

    boolean isShort() {
        return written < announced;
    }

    boolean isLive() {
        return live != null;
    }

    boolean isClosed() {
        return closed;
    }

    byte[] kept() {
        return kept.toByteArray();
    }

    void clear() {
        kept.reset();
        written = 0;
    }

    /** From now on nothing counts that is written, such as what a writer still holds of a body that is dropped. */
    void discard(boolean discarding) {
        this.discarding = discarding;
    }

    /** For an error page, which follows on what was closed. */
    void reopen() {
        closed = false;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int taken = closed || discarding ? 0 : (int) (announced < 0 ? count : Math.min(count, announced - written));
        if (taken <= 0) return;
        written += taken;
        if (live == null && written <= limit) {
            kept.write(bytes, from, taken);
            return;
        }
        toClient(() -> {
            if (live == null) goLive();
            if (live != null) live.write(bytes, from, taken);
        });
    }

    private void goLive() throws IOException {
        // Should that fail, nothing more is written.
        live = OutputStream.nullOutputStream();
        live = overflow.open(announced);
        kept.writeTo(live);
        kept.reset();
    }

    @FunctionalInterface
    private interface Sending {
        void run() throws IOException;
    }

    /** The outcome is recorded: a client that hangs up meanwhile changes nothing for the application. */
    private void toClient(Sending sending) {
        try {
            sending.run();
        } catch (IOException e) {
            live = OutputStream.nullOutputStream();
            kept.reset();
        }
    }

    @Override
    public void flush() throws IOException {
        if (live != null) toClient(live::flush);
    }

    /** The application writes no more; what it has written is sent when it has returned. */
    @Override
    public void close() throws IOException {
        flush();
        closed = true;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        throw new IllegalStateException("A request with an idempotency key cannot be answered asynchronously.");
    }
}
