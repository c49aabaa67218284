package dev.semel.bench.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Writers that append messages, as fast as they are sent or at a fixed rate. The time of a message is from its commit to the broker's word. */
public final class MessageLoop {
    private static final Duration TO_DRAIN = Duration.ofSeconds(60);

    private static final long FLOOD = Long.MIN_VALUE;

    private final MeasuredOutbox outbox;
    private final MessageTimes times;

    public MessageLoop(MeasuredOutbox outbox, MessageTimes times) {
        this.outbox = outbox;
        this.times = times;
    }

    /** Each writer appends as soon as there is room for more under way. */
    public LoopResult flood(int writers, int batch, Duration time) throws InterruptedException {
        return run(writers, batch, time, FLOOD);
    }

    /** So many messages a second in all, whether they are sent in time or not. */
    public LoopResult pace(int writers, int batch, Duration time, int perSecond) throws InterruptedException {
        return run(writers, batch, time, TimeUnit.SECONDS.toNanos(1) * batch * writers / perSecond);
    }

    private LoopResult run(int writers, int batch, Duration time, long between) throws InterruptedException {
        times.begin();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            long offset = between == FLOOD ? 0 : between * i / writers;
            running.add(
                    Thread.ofPlatform().name("writer-" + i).start(() -> write(batch, begin + offset, end, between)));
        }
        for (Thread thread : running) thread.join();
        double seconds = (System.nanoTime() - begin) / 1e9;
        LoopResult atEnd = times.result(seconds);
        int left = times.drain(TO_DRAIN.toNanos());
        // At a fixed rate all count, also those that come late. In a flood the ones at its end would only make it look
        // faster.
        LoopResult result = between == FLOOD ? atEnd : times.result(seconds);
        return left == 0 ? result : result.withError(left + " messages were not sent within " + TO_DRAIN);
    }

    private void write(int batch, long begin, long end, long between) {
        try {
            for (long due = begin; due - end < 0; due += Math.max(0, between)) {
                while (due - System.nanoTime() > 0) LockSupport.parkNanos(due - System.nanoTime());
                if (between == FLOOD && System.nanoTime() - end >= 0) return;
                long first = times.draw(batch, end);
                if (first < 0) return;
                append(first, batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void append(long first, int batch) {
        try {
            outbox.append(first, batch);
            times.committed(first, batch, System.nanoTime());
        } catch (Exception e) {
            times.failed(first, batch, e.toString());
        }
    }
}
