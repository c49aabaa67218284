package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class LoopThreadsTest {
    private final LoopThreads threads = new LoopThreads();

    /** These tests run with the option that opens it. */
    @Test
    void they_are_there_from_jdk_24_on() {
        assertEquals(Runtime.version().feature() >= 24, LoopThreads.areThere());
    }

    @Test
    void a_thread_runs_on_the_loop_that_made_it_also_after_it_has_waited() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            Waiting waiting = Waiting.on(vertx, threads);
            String before = waiting.before.get(30, TimeUnit.SECONDS);
            LockSupport.unpark(waiting.thread.get());
            String after = waiting.after.get(30, TimeUnit.SECONDS);
            assertEquals(LoopThreads.areThere(), before.contains("vert.x-eventloop-thread"), before);
            assertEquals(LoopThreads.areThere(), after.contains("vert.x-eventloop-thread"), after);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    /** Whoever wakes it is the thread that commits, and must not be told that it cannot be done. */
    @Test
    void a_thread_whose_loop_has_ended_goes_on_all_the_same() throws Exception {
        Vertx vertx = Vertx.vertx();
        Waiting waiting = Waiting.on(vertx, threads);
        waiting.before.get(30, TimeUnit.SECONDS);
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        LockSupport.unpark(waiting.thread.get());
        String after = waiting.after.get(30, TimeUnit.SECONDS);
        assertTrue(after.contains("VirtualThread"), after);
    }

    @Test
    void where_there_is_no_loop_a_thread_is_an_ordinary_virtual_one() throws Exception {
        CompletableFuture<String> where = new CompletableFuture<>();
        threads.newThread(() -> where.complete(Thread.currentThread().toString()))
                .start();
        String ran = where.get(30, TimeUnit.SECONDS);
        assertTrue(ran.contains("ForkJoinPool"), ran);
    }

    /** A thread that says where it is, waits, and says so again. */
    private record Waiting(
            CompletableFuture<Thread> thread, CompletableFuture<String> before, CompletableFuture<String> after) {
        static Waiting on(Vertx vertx, LoopThreads threads) {
            Waiting it = new Waiting(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
            vertx.runOnContext(nothing -> threads.newThread(it::live).start());
            return it;
        }

        private void live() {
            thread.complete(Thread.currentThread());
            before.complete(Thread.currentThread().toString());
            LockSupport.park();
            after.complete(Thread.currentThread().toString());
        }
    }
}
