package dev.semel.bench.loop;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * When messages were committed and when the broker had them. Bounds how many are under way: writers wait for those that send. Safe
 * for use by any thread.
 */
public final class MessageTimes {
    private final int mostUnderWay;
    private final Semaphore room;

    /** A slot for each that may be under way: the time of its commit; 0 as long as that is not known. */
    private final long[] committed;

    private final BitSet acknowledged = new BitSet();
    private LatencyRecorder recorder = new LatencyRecorder();
    private long acknowledgedCount;
    private long next;

    public MessageTimes(int mostUnderWay) {
        this.mostUnderWay = mostUnderWay;
        this.room = new Semaphore(mostUnderWay);
        this.committed = new long[mostUnderWay * 4];
    }

    /** @return the number of the first of so many new messages, when there is room for them; -1 when there was none in time */
    long draw(int messages, long untilNanos) throws InterruptedException {
        if (!room.tryAcquire(messages, untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) return -1;
        synchronized (this) {
            long first = next;
            next += messages;
            return first;
        }
    }

    /** They are committed now. The broker may have some of them already. */
    synchronized void committed(long first, int messages, long nanos) {
        for (long number = first; number < first + messages; number++)
            if (acknowledged.get(Math.toIntExact(number))) recorder.succeeded(0);
            else committed[slot(number)] = nanos;
    }

    /** They were not committed, and will never come. */
    synchronized void failed(long first, int messages, String error) {
        acknowledged.set(Math.toIntExact(first), Math.toIntExact(first + messages));
        recorder.failed(error);
        room.release(messages);
    }

    /** The broker has this message. */
    public synchronized void acknowledged(long number) {
        int bit = Math.toIntExact(number);
        if (acknowledged.get(bit)) {
            recorder.failed("message " + number + " was sent twice");
            return;
        }
        acknowledged.set(bit);
        acknowledgedCount++;
        long commit = committed[slot(number)];
        committed[slot(number)] = 0;
        if (commit != 0) recorder.succeeded(Math.max(0, System.nanoTime() - commit));
        room.release();
    }

    private int slot(long number) {
        return (int) (number % committed.length);
    }

    /** Counts and measures from now on. */
    synchronized void begin() {
        recorder = new LatencyRecorder();
    }

    /** What was measured since then. */
    synchronized LoopResult result(double seconds) {
        return LatencyRecorder.result(List.of(recorder), seconds);
    }

    /** How many the broker has had in all. */
    public synchronized long acknowledgedCount() {
        return acknowledgedCount;
    }

    /** Waits until nothing is under way. @return how many still are when the time is over */
    int drain(long nanos) throws InterruptedException {
        if (room.tryAcquire(mostUnderWay, nanos, TimeUnit.NANOSECONDS)) {
            room.release(mostUnderWay);
            return 0;
        }
        return mostUnderWay - room.availablePermits();
    }
}
