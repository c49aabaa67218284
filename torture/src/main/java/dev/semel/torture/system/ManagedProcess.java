package dev.semel.torture.system;

import java.io.IOException;
import java.time.Duration;

/** A process that can be killed and started again. */
public interface ManagedProcess {
    String name();

    /** Starts it, and does not wait for it. */
    void start() throws IOException, InterruptedException;

    /** Starts it unless it runs. */
    void ensureStarted() throws IOException, InterruptedException;

    /** SIGKILL; it is gone when this returns. */
    void kill() throws IOException, InterruptedException;

    /** SIGSTOP; none of its threads runs any more when this returns. */
    void pause() throws IOException, InterruptedException;

    /** SIGCONT. */
    void resume() throws IOException, InterruptedException;

    /** Whether it does its work now. */
    boolean isReady();

    /** Starts it again as often as it takes. */
    default void awaitReady(Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!isReady()) {
            if (System.nanoTime() - deadline > 0)
                throw new IOException(name() + " did not come back within " + atMost.toSeconds() + " s.");
            ensureStarted();
            Thread.sleep(50);
        }
    }
}
