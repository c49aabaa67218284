package dev.semel.core.quota;

import dev.semel.core.store.KeyIndex;
import dev.semel.core.time.EngineTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one tenant: how many the store had when they were counted last, and how many were let in here since. One
 * count at a time, which serves all who came before it began.
 */
final class TenantKeyCount {
    /** With this many left or fewer, every new key is counted. */
    private static final long LAST_KEYS = 16;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final KeyIndex index;
    private final String tenant;
    private final long quota;
    private final EngineTime time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition counted = lock.newCondition();

    private long kept;
    private long letIn;
    private long countsBegun;
    private boolean counting;

    /** The last count that ended well, from 1 on; when it began, and how long it took. */
    private long lastCount;

    private long began;
    private long took;

    /** The last count that failed: whoever came before it began is told, rather than each trying in turn. */
    private long lastFailure;

    private @Nullable RuntimeException failure;

    TenantKeyCount(KeyIndex index, String tenant, long quota, EngineTime time) {
        this.index = index;
        this.tenant = tenant;
        this.quota = quota;
        this.time = time;
    }

    boolean takeOfPlenty() {
        lock.lock();
        try {
            if (lastCount == 0 || room() <= margin() || !isFresh()) return false;
            letIn++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean take() {
        lock.lock();
        try {
            long came = countsBegun;
            while (lastCount <= came && !isFresh()) {
                if (counting) counted.awaitUninterruptibly();
                else if (lastFailure > came && failure != null) throw failure;
                else count();
            }
            if (room() <= 0) return false;
            letIn++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How much would be lost with it: about how many keys would have to be counted again. */
    long costOfCounting() {
        if (!lock.tryLock()) return Long.MAX_VALUE;
        try {
            return counting ? Long.MAX_VALUE : kept;
        } finally {
            lock.unlock();
        }
    }

    private long room() {
        return quota - kept - letIn;
    }

    private long margin() {
        return Math.max(LAST_KEYS, quota / 10);
    }

    /**
     * Whether the last count still does. The last few keys are counted for everyone; else the more there is left, the
     * longer a count does, and the longer it took: counting must not become what the store is busy with.
     */
    private boolean isFresh() {
        if (lastCount == 0) return false;
        long room = room();
        long age = time.nanos() - began;
        if (room > margin()) return age < Math.clamp(100 * took, SECOND, 60 * SECOND);
        return (room <= 0 || room > LAST_KEYS) && age < Math.min(10 * took, SECOND);
    }

    /** The lock is free while the store counts, so that nobody with plenty left waits for it. */
    private void count() {
        long number = ++countsBegun;
        long letInBefore = letIn;
        long start = time.nanos();
        long found = -1;
        counting = true;
        lock.unlock();
        RuntimeException failed = null;
        try {
            found = index.count(tenant, quota);
        } catch (RuntimeException e) {
            failed = e;
            throw e;
        } finally {
            lock.lock();
            counting = false;
            counted.signalAll();
            if (failed != null) {
                lastFailure = number;
                failure = failed;
            }
            if (found >= 0) {
                kept = found;
                letIn -= letInBefore;
                lastCount = number;
                began = start;
                took = time.nanos() - start;
            }
        }
    }
}
