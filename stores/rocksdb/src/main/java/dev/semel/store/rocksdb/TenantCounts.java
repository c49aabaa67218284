package dev.semel.store.rocksdb;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many records each tenant has, in a fixed amount of memory; see {@link CountMinSketch} for how exact that is. Nobody counts before the first who asks: then one scan counts what is there, and
 * from the commit at which that scan begins the committer counts what comes and goes.
 */
final class TenantCounts {
    private final ReentrantLock scanLock = new ReentrantLock();

    /** Anew with every scan; made only where somebody counts. */
    private volatile @Nullable CountMinSketch records;

    private volatile boolean scanned;

    /** Belongs to the committer. */
    private boolean counting;

    long of(String tenant, Database database, Committer committer) {
        if (!scanned) countAll(database, committer);
        CountMinSketch counted = records;
        return counted == null ? 0 : Math.max(0, counted.of(tenant));
    }

    /** Others who ask wait for the scan. One that failed has counted nothing, and the next who asks sets out again. */
    private void countAll(Database database, Committer committer) {
        scanLock.lock();
        try {
            if (scanned) return;
            Write.BeginCounting begin = new Write.BeginCounting(database, this);
            scanned = database.scan(() -> begin.at(committer), scan -> {
                while (scan.next()) add(scan.head(), 1);
                return true;
            });
        } finally {
            scanLock.unlock();
        }
    }

    /** For the committer alone: all that it writes from now on is counted, and nothing that it wrote before. */
    void startCounting() {
        records = new CountMinSketch();
        counting = true;
    }

    /** For the committer alone: this slot is on disk now. */
    void written(byte @Nullable [] before, byte @Nullable [] after) {
        if (!counting) return;
        if (before == null && after != null) add(after, 1);
        if (before != null && after == null) add(before, -1);
    }

    /** Removals may be counted before the scan comes to what was there, and numbers fall below nothing for a while. */
    private void add(byte[] head, int more) {
        CountMinSketch sketch = records;
        if (sketch == null || !RecordHead.isReadable(head) || !RecordHead.hasTenant(head)) return;
        String tenant = RecordHead.tenant(head);
        if (!tenant.isEmpty()) sketch.add(tenant, more);
    }
}
