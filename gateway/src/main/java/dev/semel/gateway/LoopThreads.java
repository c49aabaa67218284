package dev.semel.gateway;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that run on the event loop on which they are made, and not on threads of their own. A request then goes
 * through its whole life without waking anybody but the store, which saves a third of its processor time when few share a
 * commit. What runs here holds up its loop for as long as it computes, or reads from a disk: it must be short.
 *
 * <p>The platform has no public way to choose where a virtual thread runs. Its inner one is used where it is open to us
 * ({@code --add-opens java.base/java.lang=ALL-UNNAMED}), from JDK 24 on: before, a thread that waits in a monitor would hold
 * up its loop. Elsewhere these are ordinary virtual threads, slower and just as right.
 */
final class LoopThreads implements ThreadFactory {
    private static final int FIRST_JDK = 24;
    private static final String NAME = "semel-request-";
    private static final @Nullable Constructor<?> BUILDER = builder();

    private final ThreadFactory ordinary = Thread.ofVirtual().name(NAME, 0).factory();
    private final AtomicLong count = new AtomicLong();

    private static @Nullable Constructor<?> builder() {
        if (Runtime.version().feature() < FIRST_JDK) return null;
        try {
            Constructor<?> builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            builder.setAccessible(true);
            return builder;
        } catch (ReflectiveOperationException | InaccessibleObjectException notOpenToUs) {
            return null;
        }
    }

    /** Whether the platform lets us choose. */
    static boolean areThere() {
        return BUILDER != null;
    }

    @Override
    public Thread newThread(Runnable task) {
        Context loop = Vertx.currentContext();
        if (BUILDER == null || loop == null || !loop.isEventLoopContext()) return ordinary.newThread(task);
        Executor here = step -> resume(loop, step);
        try {
            Thread.Builder.OfVirtual thread = (Thread.Builder.OfVirtual) BUILDER.newInstance(here);
            return thread.name(NAME + count.getAndIncrement()).unstarted(task);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A virtual thread could not be made.", e);
        }
    }

    /** A loop that has ended takes nothing more; but whoever wakes this request must not suffer for it. */
    private static void resume(Context loop, Runnable step) {
        try {
            loop.runOnContext(nothing -> step.run());
        } catch (RejectedExecutionException ended) {
            Thread.ofPlatform().daemon().name("semel-request-left").start(step);
        }
    }
}
