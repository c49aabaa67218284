package dev.semel.core.move;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Seen;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The keys of two stores as one list: each key once, from the store where it is decided. Both are swept, one after the other. */
final class DualReadIndex implements KeyIndex {
    /** In front of the cursor of a page of the store before; the cursors of the store itself get the other one. */
    private static final String BEFORE = "b";

    private static final String HERE = "h";

    private final KeyStore store;
    private final KeyStore before;
    private final KeyIndex here;
    private final KeyIndex there;
    private final ReentrantLock sweeping = new ReentrantLock();
    private boolean sweepsBefore;

    private DualReadIndex(KeyStore store, KeyStore before, KeyIndex here, KeyIndex there) {
        this.store = store;
        this.before = before;
        this.here = here;
        this.there = there;
    }

    /** Null when one of the two has none. */
    static @Nullable DualReadIndex of(KeyStore store, KeyStore before) {
        KeyIndex here = store.index();
        KeyIndex there = before.index();
        return here == null || there == null ? null : new DualReadIndex(store, before, here, there);
    }

    @Override
    public Listing.Page list(Listing listing) {
        String after = listing.after();
        if (after != null && after.startsWith(BEFORE)) return ofBefore(listing, after.substring(1));
        Listing.Page page = here.list(from(listing, after == null ? null : after.substring(1)));
        List<Listing.Line> lines = withoutMarks(store, page.lines());
        return new Listing.Page(lines, page.next() == null ? BEFORE : HERE + page.next());
    }

    private Listing.Page ofBefore(Listing listing, String after) {
        Listing.Page page = there.list(from(listing, after.isEmpty() ? null : after));
        Set<KeyId> come = new HashSet<>();
        for (Seen each :
                store.findAll(page.lines().stream().map(Listing.Line::id).toList()))
            if (MoveRules.counts(each)) come.add(each.record().id());
        List<Listing.Line> lines = withoutMarks(before, page.lines()).stream()
                .filter(line -> !come.contains(line.id()))
                .toList();
        return new Listing.Page(lines, page.next() == null ? null : BEFORE + page.next());
    }

    private static Listing from(Listing listing, @Nullable String after) {
        return new Listing(listing.tenant(), listing.kinds(), listing.limit(), after);
    }

    /** Marks are held, or what Semel keeps for itself. */
    private static List<Listing.Line> withoutMarks(KeyStore store, List<Listing.Line> lines) {
        List<KeyId> suspects = lines.stream()
                .filter(line -> line.kind() == KeyState.Kind.HELD
                        || KeyId.isReserved(line.id().operation()))
                .map(Listing.Line::id)
                .toList();
        if (suspects.isEmpty()) return lines;
        Set<KeyId> marks = new HashSet<>();
        for (Seen each : store.findAll(suspects))
            if (MoveMark.isMark(each.record())) marks.add(each.record().id());
        return lines.stream().filter(line -> !marks.contains(line.id())).toList();
    }

    @Override
    public long count(String tenant, long upTo) {
        throw new UnsupportedOperationException("Keys are not counted while they are in two stores.");
    }

    @Override
    public Swept sweep(int limit) {
        sweeping.lock();
        try {
            Swept swept = (sweepsBefore ? there : here).sweep(limit);
            boolean halfWay = swept.finished() && !sweepsBefore;
            if (swept.finished()) sweepsBefore = !sweepsBefore;
            return halfWay ? unfinished(swept) : swept;
        } finally {
            sweeping.unlock();
        }
    }

    private static Swept unfinished(Swept it) {
        return new Swept(it.looked(), it.removed(), it.stripped(), false, it.due(), it.unreadable(), it.inDoubt());
    }
}
