package dev.semel.testkit.interleave;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * Lets actors run one at a time, in an order that a seed decides. An actor runs until its next {@link #step()}; then the
 * stage picks who goes on. So one seed always gives one schedule.
 */
final class Stage {
    private static final ThreadLocal<Actor> ME = new ThreadLocal<>();

    private final Random random;
    private final List<Actor> waiting = new ArrayList<>();
    private final Semaphore back = new Semaphore(0);
    private volatile Throwable failure = new NoFailure();

    Stage(Random random) {
        this.random = random;
    }

    private static final class NoFailure extends Throwable {
        private static final long serialVersionUID = 1;
    }

    private static final class Actor {
        final Semaphore go = new Semaphore(0);
        boolean finished;
        int faults;
    }

    /** Adds an actor; it starts when it is first picked. */
    void add(Runnable script) {
        Actor actor = new Actor();
        waiting.add(actor);
        Thread.ofVirtual().start(() -> {
            actor.go.acquireUninterruptibly();
            ME.set(actor);
            try {
                script.run();
            } catch (Throwable e) {
                failure = e;
            } finally {
                actor.finished = true;
                back.release();
            }
        });
    }

    /** Where another actor may come in between. */
    void step() {
        Actor me = me();
        back.release();
        me.go.acquireUninterruptibly();
    }

    /** Whether the actor that runs now may meet one more fault; counts it if so. */
    boolean mayFail(int most) {
        Actor me = me();
        if (me.faults == most) return false;
        me.faults++;
        return true;
    }

    private static Actor me() {
        Actor me = ME.get();
        if (me == null) throw new IllegalStateException("Not an actor: " + Thread.currentThread());
        return me;
    }

    /** Runs until nobody is left, or someone fails. */
    void run() throws Throwable {
        while (!waiting.isEmpty()) {
            Actor next = waiting.get(random.nextInt(waiting.size()));
            next.go.release();
            back.acquireUninterruptibly();
            if (next.finished) waiting.remove(next);
            if (!(failure instanceof NoFailure)) throw failure;
        }
    }
}
