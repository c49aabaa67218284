package dev.semel.testkit;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * For a {@link LinearizabilityCheck} of a store that goes by the clock of a server. The check knows revisions by a clock that
 * stands still; this counts them from the first of each key, which the token of its record keeps.
 */
public final class CountedRevisions extends ForwardingKeyStore {
    private final Map<KeyId, Long> firsts = new ConcurrentHashMap<>();

    public CountedRevisions(KeyStore store) {
        super(store);
    }

    @Override
    public Inserted insert(NewKey key) {
        return switch (super.insert(key)) {
            case Inserted.Fresh(KeyRecord record) -> new Inserted.Fresh(counted(record));
            case Inserted.Existing(Seen seen) -> new Inserted.Existing(counted(seen));
            case Inserted.Busy it -> it;
        };
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        Long first = firsts.get(seen.id());
        long known = first == null ? 0 : first;
        KeyRecord real = new KeyRecord(
                seen.id(),
                seen.fingerprint(),
                known,
                1,
                known + seen.revision() - LinearizabilityCheck.FIRST,
                seen.since(),
                seen.state());
        Replaced answer = super.replace(real, Change.of(real, change.next()));
        if (answer instanceof Replaced.Moved(@Nullable Seen current) && current != null && first == null) {
            counted(current);
            return replace(seen, change);
        }
        return switch (answer) {
            case Replaced.Swapped(KeyRecord record) -> new Replaced.Swapped(counted(record));
            case Replaced.Moved(Seen current) -> new Replaced.Moved(current == null ? null : counted(current));
        };
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Seen seen = super.find(id);
        return seen == null ? null : counted(seen);
    }

    private Seen counted(Seen seen) {
        return new Seen(counted(seen.record()), seen.now());
    }

    private KeyRecord counted(KeyRecord it) {
        firsts.put(it.id(), it.token());
        long revision = LinearizabilityCheck.FIRST + it.revision() - it.token();
        return new KeyRecord(
                it.id(), it.fingerprint(), LinearizabilityCheck.FIRST, it.attempt(), revision, it.since(), it.state());
    }
}
