package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyStore.Purged;
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
    private static final int MOST_AT_ONCE = 10_000;
    private static final int PORTION = 128;

    private final Database database;
    private final Committer committer;
    private final StoreLife life;
    private final ReentrantLock oneAtATime = new ReentrantLock();
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
            List<KeyId> unsettled,
            List<String> unreadable,
            long inDoubt,
            byte @Nullable [] upTo) {}

    Purged step(int limit, Instant now) {
        if (limit < 1) throw new IllegalArgumentException("A step looks at one record or more, not " + limit + ".");
        oneAtATime.lock();
        try {
            Look look = look(Math.min(limit, MOST_AT_ONCE), now);
            Purged purged = clean(look);
            upTo = look.upTo();
            cleaned += purged.removed() + purged.stripped();
            if (purged.finished()) endPass();
            return purged;
        } finally {
            oneAtATime.unlock();
        }
    }

    Look look(int limit, Instant now) {
        return database.walk(upTo, walk -> {
            List<Clean.Expired> expired = new ArrayList<>();
            List<KeyId> unsettled = new ArrayList<>();
            List<String> unreadable = new ArrayList<>();
            long inDoubt = 0;
            int looked = 0;
            while (looked < limit) {
                if (!walk.next()) return new Look(looked, expired, unsettled, unreadable, inDoubt, null);
                looked++;
                if (RecordHead.isInDoubt(walk.head())) inDoubt++;
                try {
                    if (RecordHead.mayHaveExpired(walk.head(), now)) add(walk, now, expired);
                    if (RecordHead.mayBeUnsettled(walk.head(), now)) addUnsettled(walk, now, unsettled);
                } catch (RuntimeException e) {
                    unreadable.add(HexFormat.of().formatHex(walk.address()));
                }
            }
            return new Look(looked, expired, unsettled, unreadable, inDoubt, walk.address());
        });
    }

    private void addUnsettled(RecordWalk walk, Instant now, List<KeyId> unsettled) {
        KeyRecord record = life.asOf(RecordCodec.decode(walk.head(), null, null));
        if (record.isUnsettled(now)) unsettled.add(record.id());
    }

    private static void add(RecordWalk walk, Instant now, List<Clean.Expired> expired) {
        KeyRecord record = RecordCodec.decode(walk.head(), null, null);
        KeyRecord left = record.asOf(now);
        if (left == null || (record.state() instanceof KeyState.Done && left.state() instanceof KeyState.Spent))
            expired.add(new Clean.Expired(walk.address(), walk.head(), left));
    }

    /** Whatever has moved on since the look is left alone. */
    Purged clean(Look look) {
        int removed = 0;
        int stripped = 0;
        for (int from = 0; from < look.expired().size(); from += PORTION) {
            int to = Math.min(from + PORTION, look.expired().size());
            Clean clean = committer.commit(new Clean(look.expired().subList(from, to)));
            removed += clean.removed();
            stripped += clean.stripped();
        }
        return new Purged(
                look.looked(),
                removed,
                stripped,
                look.upTo() == null,
                look.unsettled(),
                look.unreadable(),
                look.inDoubt());
    }

    /** In a store that falls idle, what was removed would otherwise stay on disk until the next writes come. */
    private void endPass() {
        if (cleaned > 0) database.flush();
        cleaned = 0;
    }
}
