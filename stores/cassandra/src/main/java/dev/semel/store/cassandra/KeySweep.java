package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyIndex.Swept;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Walks over all keys and points out those that it is time to look at. Cassandra forgets by itself; only what the clients may
 * forget already and the server not yet, or never, is removed here. Where the walk stands is kept in memory only.
 */
final class KeySweep {
    private final KeyPages pages;
    private final Requests requests;
    private final KeyStatements statements;
    private final Supplier<Instant> clock;
    private final ReentrantLock walking = new ReentrantLock();
    private byte @Nullable [] after;

    KeySweep(KeyPages pages, Requests requests, KeyStatements statements, Supplier<Instant> clock) {
        this.pages = pages;
        this.requests = requests;
        this.statements = statements;
        this.clock = clock;
    }

    Swept step(int limit) {
        walking.lock();
        try {
            KeyPages.Page page = pages.after(after, limit);
            // Moved on first: a key that cannot be cleaned now is met again in the next round, and holds up no other.
            after = page.last() || page.lines().isEmpty()
                    ? null
                    : page.lines().getLast().digest();
            return clean(page, after == null);
        } finally {
            walking.unlock();
        }
    }

    private Swept clean(KeyPages.Page page, boolean finished) {
        Instant now = clock.get();
        long removed = 0;
        long stripped = 0;
        long inDoubt = 0;
        List<KeyId> due = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (KeyRows.Line line : page.lines()) {
            KeyRecord record = line.record();
            if (record == null) {
                unreadable.add(line.hex());
                continue;
            }
            if (record.isDue(now)) due.add(record.id());
            if (record.state() instanceof KeyState.InDoubt) inDoubt++;
            KeyRecord kept = record.asOf(now);
            if (kept == null) removed += applied(statements.remove(record));
            else if (record.state() instanceof KeyState.Done && kept.state() instanceof KeyState.Spent)
                stripped += applied(statements.strip(record));
        }
        return new Swept(page.lines().size(), removed, stripped, finished, due, unreadable, inDoubt);
    }

    private int applied(BoundStatement change) {
        return KeyRows.isApplied(requests.write(change)) ? 1 : 0;
    }
}
