package dev.semel.core.move;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.key.Outcome;
import dev.semel.core.move.KeyMove.Home;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Brings every live key of one store to another. Safe while a fleet uses both by a {@link DualReadKeyStore}, and while nobody
 * uses either; whoever uses the first store alone meanwhile finds the keys that have left in progress, and runs nothing. It
 * may be cut off anywhere, and run again: what is in the second store stays as it is there.
 */
public final class Migration {
    private static final int PAGE = 200;
    private static final int AT_ONCE = 32;
    private static final int MOST_TRIES = 3;

    /** What a gateway writes to see whether its store takes writes; of no use to anybody else. */
    private static final String READINESS = KeyId.reserved("", "readiness", "-").operation();

    private final KeyStore from;
    private final KeyStore to;
    private final KeyIndex source;
    private final KeyMove move;
    private final MigrationCounts counts = new MigrationCounts();

    private Migration(KeyStore from, KeyStore to, KeyIndex source, UnaryOperator<Outcome> withoutBody) {
        this.from = from;
        this.to = to;
        this.source = source;
        this.move = new KeyMove(from, to, withoutBody);
    }

    /**
     * Prepares; nothing is written yet. Both stores stay the caller's to close.
     *
     * @param withoutBody what is left of an outcome that is too large for the second store
     * @throws IllegalStateException when the first store cannot list its keys, or the clocks of the two differ by more than ten
     *     seconds
     */
    public static Migration of(KeyStore from, KeyStore to, UnaryOperator<Outcome> withoutBody) {
        KeyIndex source = from.index();
        if (source == null || !from.traits().lists())
            throw new IllegalStateException("The store to migrate from cannot list its keys. Use both stores instead"
                    + " (store-before) until everything in it is forgotten: for as long as outcomes and tombstones"
                    + " are kept.");
        DualReadKeyStore.checkClocks(to, from);
        return new Migration(from, to, source, withoutBody);
    }

    /**
     * Goes through all keys once.
     *
     * @param progress is told after each page what has been done by then
     * @throws StoreException when the first store does not list its keys; run it again
     */
    public MigrationReport run(Consumer<MigrationReport> progress) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Semaphore room = new Semaphore(AT_ONCE);
            walk(
                    source,
                    EnumSet.allOf(Kind.class),
                    line -> threads.submit(() -> within(room, () -> move(line.id()))),
                    progress);
            KeyIndex target = to.index();
            if (target != null && to.traits().lists())
                walk(
                        target,
                        EnumSet.of(Kind.HELD),
                        line -> threads.submit(() -> within(room, () -> lift(line.id()))),
                        progress);
        }
        return counts.report();
    }

    private interface Step {
        Future<?> on(Listing.Line line);
    }

    private static void within(Semaphore room, Runnable step) {
        room.acquireUninterruptibly();
        try {
            step.run();
        } finally {
            room.release();
        }
    }

    private void walk(KeyIndex index, Set<Kind> kinds, Step step, Consumer<MigrationReport> progress) {
        String after = null;
        do {
            Listing.Page page = index.list(new Listing(null, kinds, PAGE, after));
            List<Future<?>> steps =
                    page.lines().stream().<Future<?>>map(step::on).toList();
            for (Future<?> each : steps) await(each);
            progress.accept(counts.report());
            after = page.next();
        } while (after != null);
    }

    private static void await(Future<?> step) {
        try {
            step.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.notApplied("Interrupted. Run it again: it goes on where it stopped.", e);
        }
    }

    private void move(KeyId id) {
        counts.looked();
        trying(id, () -> {
            Seen seen = from.find(id);
            if (seen == null || id.operation().equals(READINESS)) counts.forgotten();
            else if (MoveMark.isLeft(seen.record()) || MoveRules.counts(seen)) move(seen);
            else counts.forgotten();
        });
    }

    private void move(Seen seen) {
        switch (move.settle(seen)) {
            case Home.Before it -> counts.running();
            case Home.Busy it -> counts.running();
            case Home.Here(KeyMove.@Nullable Arrived arrived, long token) -> {
                if (arrived == null) counts.movedBefore();
                else
                    switch (arrived) {
                        case WRITTEN -> counts.copied(false);
                        case WITHOUT_BODY -> counts.copied(true);
                        case THERE_BEFORE -> counts.movedBefore();
                    }
            }
        }
    }

    /** A seal from when keys were moved the other way is of no use any more, unless its key is still over there. */
    private void lift(KeyId id) {
        trying(id, () -> {
            Seen seal = to.find(id);
            if (seal == null || !MoveMark.isLeft(seal.record()) || MoveRules.counts(from.find(id))) return;
            if (MoveRules.isUnfinished(seal)) {
                if (move.restore(seal)) counts.lifted();
                return;
            }
            Change lifted = Change.of(seal.record(), new Next.Free(Duration.ZERO));
            if (to.replace(seal.record(), lifted) instanceof KeyStore.Replaced.Swapped) counts.lifted();
        });
    }

    private void trying(KeyId id, Runnable step) {
        for (int tries = 1; ; tries++) {
            try {
                step.run();
                return;
            } catch (StoreException e) {
                if (tries < MOST_TRIES) continue;
                counts.leftOut(id, String.valueOf(e.getMessage()));
                return;
            }
        }
    }
}
