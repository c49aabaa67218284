package dev.semel.store.rocksdb;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many records each tenant has. Nobody counts before the first who asks: then one walk counts what is there, and
 * from the commit at which that walk begins the committer counts what comes and goes.
 */
final class TenantCounts {
    private final ConcurrentHashMap<String, Long> records = new ConcurrentHashMap<>();
    private final ReentrantLock oneWalk = new ReentrantLock();
    private volatile boolean walked;

    /** Belongs to the committer. */
    private boolean following;

    long of(String tenant, Database database, Committer committer) {
        if (!walked) countAll(database, committer);
        return Math.max(0, records.getOrDefault(tenant, 0L));
    }

    /** Others who ask wait for the walk. One that failed has counted nothing, and the next who asks sets out again. */
    private void countAll(Database database, Committer committer) {
        oneWalk.lock();
        try {
            if (walked) return;
            Write.BeginCounting begin = new Write.BeginCounting(database, this);
            walked = database.walk(() -> begin.at(committer), walk -> {
                while (walk.next()) add(walk.head(), 1);
                return true;
            });
        } finally {
            oneWalk.unlock();
        }
    }

    /** For the committer alone: all that it writes from now on is counted, and nothing that it wrote before. */
    void follow() {
        records.clear();
        following = true;
    }

    /** For the committer alone: this slot is on disk now. */
    void written(byte @Nullable [] before, byte @Nullable [] after) {
        if (!following) return;
        if (before == null && after != null) add(after, 1);
        if (before != null && after == null) add(before, -1);
    }

    /** Removals may be counted before the walk comes to what was there, and numbers fall below nothing for a while. */
    private void add(byte[] head, long more) {
        if (!RecordHead.isReadable(head)) return;
        records.compute(RecordHead.tenant(head), (tenant, count) -> {
            long sum = (count == null ? 0 : count) + more;
            return sum == 0 ? null : sum;
        });
    }
}
