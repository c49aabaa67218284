package dev.semel.bench.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * N callers, each of which starts its next operation when the last one has ended. Every caller has a recorder of its own,
 * so that measuring makes nobody wait.
 */
public final class ClosedLoop {
    private static final Duration FOREVER = Duration.ofDays(365);

    private final int callers;
    private final ThreadFactory threads;
    private final AtomicLong numbers = new AtomicLong();

    private ClosedLoop(int callers, ThreadFactory threads) {
        this.callers = callers;
        this.threads = threads;
    }

    /** Callers on threads of the platform. */
    public static ClosedLoop ofThreads(int callers) {
        return new ClosedLoop(callers, Thread.ofPlatform().name("caller-", 0).factory());
    }

    /** Callers on virtual threads. */
    public static ClosedLoop ofVirtualThreads(int callers) {
        return new ClosedLoop(callers, Thread.ofVirtual().factory());
    }

    /** Measures for so long with numbers that this loop has not used yet. */
    public LoopResult run(Operation operation, Duration time) throws InterruptedException {
        return run(operation, time, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Measures for so long with the numbers from 0 on, over and over. */
    public LoopResult repeat(Operation operation, Duration time, long distinctNumbers) throws InterruptedException {
        return run(operation, time, distinctNumbers, Long.MAX_VALUE);
    }

    /** Does so many operations, however long they take. */
    public LoopResult count(Operation operation, long operations) throws InterruptedException {
        long next = numbers.get() + operations;
        LoopResult result = run(operation, FOREVER, Long.MAX_VALUE, operations);
        // Every caller drew one number more to find that it was the end.
        numbers.set(next);
        return result;
    }

    private LoopResult run(Operation operation, Duration time, long distinct, long most) throws InterruptedException {
        AtomicLong source = distinct == Long.MAX_VALUE ? numbers : new AtomicLong();
        long last = most == Long.MAX_VALUE ? Long.MAX_VALUE : source.get() + most;
        Start start = new Start(callers, time);
        List<LatencyRecorder> recorders = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Caller caller = new Caller(operation, source, distinct, start, last);
            recorders.add(caller.recorder);
            Thread thread = threads.newThread(caller);
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) thread.join();
        return LatencyRecorder.result(recorders, (System.nanoTime() - start.begin) / 1e9);
    }

    /** Time runs when everybody is there: threads take a while to start on a busy machine. */
    private static final class Start {
        private final CountDownLatch missing;
        private final long nanos;
        private volatile long begin;

        Start(int callers, Duration time) {
            this.missing = new CountDownLatch(callers);
            this.nanos = time.toNanos();
        }

        long awaitEnd() throws InterruptedException {
            begin = System.nanoTime();
            missing.countDown();
            missing.await();
            return begin + nanos;
        }
    }

    private static final class Caller implements Runnable {
        private final Operation operation;
        private final AtomicLong source;
        private final long distinct;
        private final Start start;
        private final long last;
        private final LatencyRecorder recorder = new LatencyRecorder();

        Caller(Operation operation, AtomicLong source, long distinct, Start start, long last) {
            this.operation = operation;
            this.source = source;
            this.distinct = distinct;
            this.start = start;
            this.last = last;
        }

        @Override
        public void run() {
            try {
                run(start.awaitEnd());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void run(long end) {
            long begin = System.nanoTime();
            while (begin - end < 0) {
                long number = source.getAndIncrement();
                if (number >= last) return;
                try {
                    operation.run(number % distinct);
                    long now = System.nanoTime();
                    recorder.succeeded(now - begin);
                    begin = now;
                } catch (Exception e) {
                    recorder.failed(e.toString());
                    begin = System.nanoTime();
                }
            }
        }
    }
}
