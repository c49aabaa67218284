package dev.semel.store.redis;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The walk in the background: one portion a step, and one master after the other. */
final class RedisSweep {
    private static final int MOST_PER_STEP = 5_000;

    private final Topology topology;
    private final RecordNames names;
    private final RecordScan scan;
    private final DurabilityWatch watch;
    private final ReentrantLock stepLock = new ReentrantLock();

    /** The masters that this pass has still to visit; the first of them is being walked over. */
    private final List<RedisNode> ahead = new ArrayList<>();

    private String cursor = RecordScan.START;

    RedisSweep(Topology topology, RecordNames names, RecordScan scan, DurabilityWatch watch) {
        this.watch = watch;
        this.topology = topology;
        this.names = names;
        this.scan = scan;
    }

    Swept step(int limit) {
        stepLock.lock();
        try {
            List<RedisNode> masters = topology.masters();
            if (ahead.isEmpty()) begin(masters);
            while (!ahead.isEmpty() && !masters.contains(ahead.getFirst())) leave();
            return ahead.isEmpty() ? new Swept(0, 0, 0, true) : walk(ahead.getFirst(), Math.min(limit, MOST_PER_STEP));
        } catch (StoreException e) {
            // Should this master be gone for good, the next pass visits who took over.
            if (!ahead.isEmpty()) leave();
            throw e;
        } finally {
            stepLock.unlock();
        }
    }

    private void begin(List<RedisNode> masters) {
        watch.check();
        ahead.addAll(masters);
        ahead.sort(Comparator.comparing(RedisNode::address));
        cursor = RecordScan.START;
    }

    private void leave() {
        ahead.removeFirst();
        cursor = RecordScan.START;
    }

    private Swept walk(RedisNode node, int limit) {
        RecordScan.Portion portion = scan.from(node, cursor, limit);
        Pass pass = new Pass(node, RedisServerTime.of(node));
        portion.found().forEach(pass::look);
        cursor = portion.next();
        if (portion.isLast()) leave();
        return pass.swept(portion.found().size(), ahead.isEmpty());
    }

    /** What one step came across. */
    private final class Pass {
        private final RedisNode node;
        private final Instant now;
        private final List<KeyId> due = new ArrayList<>();
        private final List<String> unreadable = new ArrayList<>();
        private long removed;
        private long stripped;
        private long inDoubt;

        Pass(RedisNode node, Instant now) {
            this.node = node;
            this.now = now;
        }

        void look(RecordScan.Found found) {
            try {
                byte[] bytes = found.bytes();
                if (bytes == null) throw StoreException.notApplied("It is no record.", null);
                look(found.digest(), bytes, StoredRecord.of(bytes));
            } catch (StoreException e) {
                unreadable.add(found.digest());
            }
        }

        /** Redis forgets by itself, unless someone has copied its keys without their times. */
        private void look(String digest, byte[] bytes, StoredRecord stored) {
            KeyRecord record = stored.withoutOutcome();
            if (record.isDue(now)) due.add(record.id());
            if (stored.isInDoubt()) inDoubt++;
            if (record.asOf(now) == null) removed += clean(digest, bytes, new byte[0]);
            else if (stored.isToBeStripped(now)) stripped += clean(digest, bytes, stored.stripped());
        }

        private int clean(String digest, byte[] seen, byte[] left) {
            return new Answer(node.run(Script.CLEAN, names.of(digest), seen, left)).isWritten() ? 1 : 0;
        }

        Swept swept(long looked, boolean finished) {
            return new Swept(looked, removed, stripped, finished, due, unreadable, inDoubt);
        }
    }
}
