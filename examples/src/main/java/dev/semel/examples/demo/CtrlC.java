package dev.semel.examples.demo;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C (or any other polite end of this process) into an interrupt, so that a program can end its work in order
 * and say its last words.
 */
public final class CtrlC {
    private static final long FINISH_SECONDS = 15;

    private static final Queue<Runnable> EXIT_ACTIONS = new ConcurrentLinkedQueue<>();

    private CtrlC() {}

    /**
     * When the process is told to end, does this after the work, or when the work takes too long: a shutdown hook of its
     * own would run while the work still needs what it takes away.
     */
    public static void onExit(Runnable action) {
        EXIT_ACTIONS.add(action);
    }

    /** Something that ends early when its thread is interrupted. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T run() throws E;
    }

    /**
     * Does the work on this thread. When the process is told to end meanwhile, the thread is interrupted, and the
     * process lives until the work is over, at most fifteen seconds.
     */
    public static <T, E extends Exception> T interrupts(Work<T, E> work) throws E {
        Thread worker = Thread.currentThread();
        CountDownLatch over = new CountDownLatch(1);
        Thread hook = Thread.ofPlatform().name("ctrl-c").unstarted(() -> end(worker, over));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return work.run();
        } finally {
            over.countDown();
            forget(hook);
        }
    }

    private static void end(Thread worker, CountDownLatch over) {
        worker.interrupt();
        try {
            // Not worker.join(): a thread that calls System.exit() while the process ends never returns from it.
            if (!over.await(FINISH_SECONDS, TimeUnit.SECONDS)) System.err.println("Ended before it was done.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        EXIT_ACTIONS.forEach(Runnable::run);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException processEnds) {
            // The hook is running, and has just been told.
        }
    }
}
