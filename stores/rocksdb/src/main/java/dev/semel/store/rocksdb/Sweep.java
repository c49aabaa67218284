package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.StoreLife;
import dev.semel.store.rocksdb.Write.Clean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The cleaning: looks at record after record on the caller's thread, and hands what has expired to the committer in
 * small portions, so that other writes pass between them. There is no index of expiries; it would cost every write half
 * as much again.
 */
final class Sweep {
    private static final int MAX_PER_STEP = 10_000;
    private static final int WRITES_PER_COMMIT = 128;

    private final Database database;
    private final Committer committer;
    private final StoreLife life;
    private final ReentrantLock stepLock = new ReentrantLock();
    private byte @Nullable [] upTo;
    private long cleaned;

    Sweep(Database database, Committer committer, StoreLife life) {
        this.database = database;
        this.committer = committer;
        this.life = life;
    }

    /** @param upTo where the next look begins; null when this one reached the end */
    record Look(
            int looked,
            List<Clean.Expired> expired,
            List<KeyId> due,
            List<String> unreadable,
            long inDoubt,
            byte @Nullable [] upTo) {}

    Swept step(int limit, Instant now) {
        if (limit < 1) throw new IllegalArgumentException("A step looks at one record or more, not " + limit + ".");
        stepLock.lock();
        try {
            Look look = look(Math.min(limit, MAX_PER_STEP), now);
            Swept swept = clean(look);
            upTo = look.upTo();
            cleaned += swept.removed() + swept.stripped();
            if (swept.finished()) endPass();
            return swept;
        } finally {
            stepLock.unlock();
        }
    }

    Look look(int limit, Instant now) {
        return database.scan(upTo, scan -> {
            List<Clean.Expired> expired = new ArrayList<>();
            List<KeyId> due = new ArrayList<>();
            List<String> unreadable = new ArrayList<>();
            long inDoubt = 0;
            int looked = 0;
            while (looked < limit) {
                if (!scan.next()) return new Look(looked, expired, due, unreadable, inDoubt, null);
                looked++;
                if (RecordHead.isInDoubt(scan.head())) inDoubt++;
                try {
                    if (RecordHead.mayHaveExpired(scan.head(), now)) add(scan, now, expired);
                    if (RecordHead.mayBeDue(scan.head(), now)) addDue(scan, now, due);
                } catch (RuntimeException e) {
                    unreadable.add(HexFormat.of().formatHex(scan.address()));
                }
            }
            return new Look(looked, expired, due, unreadable, inDoubt, scan.address());
        });
    }

    private void addDue(RecordScan scan, Instant now, List<KeyId> due) {
        KeyRecord record = life.asOf(RecordCodec.decode(scan.head(), null, null));
        if (record.isDue(now)) due.add(record.id());
    }

    private static void add(RecordScan scan, Instant now, List<Clean.Expired> expired) {
        KeyRecord record = RecordCodec.decode(scan.head(), null, null);
        KeyRecord left = record.asOf(now);
        if (left == null || (record.state() instanceof KeyState.Done && left.state() instanceof KeyState.Spent))
            expired.add(new Clean.Expired(scan.address(), scan.head(), left));
    }

    /** Whatever has moved on since the look is left alone. */
    Swept clean(Look look) {
        int removed = 0;
        int stripped = 0;
        for (int from = 0; from < look.expired().size(); from += WRITES_PER_COMMIT) {
            int to = Math.min(from + WRITES_PER_COMMIT, look.expired().size());
            Clean clean = committer.commit(new Clean(look.expired().subList(from, to)));
            removed += clean.removed();
            stripped += clean.stripped();
        }
        return new Swept(
                look.looked(), removed, stripped, look.upTo() == null, look.due(), look.unreadable(), look.inDoubt());
    }

    /** In a store that falls idle, what was removed would otherwise stay on disk until the next writes come. */
    private void endPass() {
        if (cleaned > 0) database.flush();
        cleaned = 0;
    }
}
