package dev.semel.store.rocksdb;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many records each tenant has, in a fixed amount of memory; see {@link NameCounts} for how exact that is. Nobody counts before the first who asks: then one walk counts what is there, and
 * from the commit at which that walk begins the committer counts what comes and goes.
 */
final class TenantCounts {
    private final ReentrantLock oneWalk = new ReentrantLock();

    /** Anew with every walk; made only where somebody counts. */
    private volatile @Nullable NameCounts records;

    private volatile boolean walked;

    /** Belongs to the committer. */
    private boolean following;

    long of(String tenant, Database database, Committer committer) {
        if (!walked) countAll(database, committer);
        NameCounts counted = records;
        return counted == null ? 0 : Math.max(0, counted.of(tenant));
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
        records = new NameCounts();
        following = true;
    }

    /** For the committer alone: this slot is on disk now. */
    void written(byte @Nullable [] before, byte @Nullable [] after) {
        if (!following) return;
        if (before == null && after != null) add(after, 1);
        if (before != null && after == null) add(before, -1);
    }

    /** Removals may be counted before the walk comes to what was there, and numbers fall below nothing for a while. */
    private void add(byte[] head, int more) {
        NameCounts counting = records;
        if (counting == null || !RecordHead.isReadable(head) || !RecordHead.hasTenant(head)) return;
        String tenant = RecordHead.tenant(head);
        if (!tenant.isEmpty()) counting.add(tenant, more);
    }
}
