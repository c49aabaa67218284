package dev.semel.cli;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Says that an outcome is written, lets everybody in this process see it, and writes it a moment later. */
final class WriteBehindStore extends ForwardingKeyStore {
    private static final long BEHIND_MILLIS = 300;

    private final Map<KeyId, KeyRecord> unwritten = new ConcurrentHashMap<>();
    private final ScheduledExecutorService writer = Executors.newScheduledThreadPool(4, task -> {
        Thread thread = new Thread(task, "write-behind");
        thread.setDaemon(true);
        return thread;
    });

    WriteBehindStore(KeyStore store) {
        super(store);
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        Seen behind = behind(seen.id());
        if (behind != null) return new Replaced.Moved(behind);
        if (!(change.next() instanceof Next.Done)) return behind().replace(seen, change);
        KeyRecord done = change.after(seen, behind().now());
        unwritten.put(seen.id(), done);
        writer.schedule(() -> write(seen, change), BEHIND_MILLIS, TimeUnit.MILLISECONDS);
        return new Replaced.Swapped(done);
    }

    private void write(KeyRecord seen, Change change) {
        behind().replace(seen, change);
        unwritten.remove(seen.id());
    }

    @Override
    public Inserted insert(NewKey key) {
        Seen behind = behind(key.id());
        return behind != null ? new Inserted.Existing(behind) : behind().insert(key);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Seen behind = behind(id);
        return behind != null ? behind : behind().find(id);
    }

    private @Nullable Seen behind(KeyId id) {
        KeyRecord record = unwritten.get(id);
        return record == null ? null : new Seen(record, behind().now());
    }
}
