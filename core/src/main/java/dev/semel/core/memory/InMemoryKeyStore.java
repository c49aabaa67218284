package dev.semel.core.memory;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** A {@link KeyStore} in the memory of this process. Nothing survives the process; nothing is shared between two. */
public final class InMemoryKeyStore implements KeyStore, KeyIndex {
    public static final DeclaredTraits DECLARED = DeclaredTraits.always(
            "memory", StoreTraits.surviving(StoreTraits.Survives.NOTHING).withClock(StoreTraits.LeaseClock.PROCESS));

    /** By digest in hexadecimal, so that listing and sweeping have an order to go by. */
    private final ConcurrentSkipListMap<String, KeyRecord> records;

    private final Clock clock;
    private final Duration skew;
    private String sweptUpTo = "";

    public InMemoryKeyStore() {
        this(Clock.systemUTC());
    }

    public InMemoryKeyStore(Clock clock) {
        this(new ConcurrentSkipListMap<>(), clock, Duration.ZERO);
    }

    private InMemoryKeyStore(ConcurrentSkipListMap<String, KeyRecord> records, Clock clock, Duration skew) {
        this.records = records;
        this.clock = clock;
        this.skew = skew;
    }

    /** An empty store whose records are judged by the clocks of its clients, which may differ by so much. */
    public static InMemoryKeyStore withSkew(Clock clock, Duration skew) {
        return new InMemoryKeyStore(new ConcurrentSkipListMap<>(), clock, skew);
    }

    /** The same records, as another client sees them, by its own clock. */
    public InMemoryKeyStore by(Clock other) {
        return new InMemoryKeyStore(records, other, skew);
    }

    @Override
    public Inserted insert(NewKey key) {
        KeyRecord fresh = key.at(clock.instant());
        KeyRecord present = records.putIfAbsent(address(key.id()), fresh);
        return present == null ? new Inserted.Fresh(fresh) : new Inserted.Existing(seen(key.id(), present));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        KeyRecord next = change.after(seen, clock.instant());
        while (true) {
            KeyRecord present = records.get(address(seen.id()));
            if (present == null) return new Replaced.Moved(null);
            if (present.revision() != seen.revision()) return new Replaced.Moved(seen(seen.id(), present));
            if (records.replace(address(seen.id()), present, next)) return new Replaced.Swapped(next);
        }
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        KeyRecord record = records.get(address(id));
        return record == null ? null : seen(id, record);
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        List<Seen> found = new ArrayList<>(ids.size());
        for (KeyId id : ids) {
            Seen seen = find(id);
            if (seen != null) found.add(seen);
        }
        return found;
    }

    @Override
    public Listing.Page list(Listing listing) {
        List<Listing.Line> lines = new ArrayList<>();
        String last = listing.after() == null ? "" : listing.after();
        for (Map.Entry<String, KeyRecord> entry : records.tailMap(last, false).entrySet()) {
            KeyRecord record = entry.getValue().asOf(clock.instant());
            if (record == null || !matches(listing, record)) continue;
            if (lines.size() == listing.limit()) return new Listing.Page(lines, last);
            last = entry.getKey();
            lines.add(new Listing.Line(
                    record.id(), record.state().kind(), record.token(), record.attempt(), record.since()));
        }
        return new Listing.Page(lines, null);
    }

    private static boolean matches(Listing listing, KeyRecord record) {
        return (listing.tenant() == null || listing.tenant().equals(record.id().tenant()))
                && listing.kinds().contains(record.state().kind());
    }

    @Override
    public long count(String tenant, long upTo) {
        return records.values().stream()
                .filter(record -> record.id().tenant().equals(tenant))
                .limit(upTo)
                .count();
    }

    @Override
    public synchronized Swept sweep(int limit) {
        long looked = 0;
        long removed = 0;
        long stripped = 0;
        long inDoubt = 0;
        List<KeyId> due = new ArrayList<>();
        Instant now = clock.instant();
        for (Map.Entry<String, KeyRecord> entry :
                records.tailMap(sweptUpTo, false).entrySet()) {
            if (looked == limit) return new Swept(looked, removed, stripped, false, due, List.of(), inDoubt);
            looked++;
            sweptUpTo = entry.getKey();
            KeyRecord record = entry.getValue();
            KeyRecord kept = record.asOf(now);
            if (record.isDue(now)) due.add(record.id());
            if (record.state() instanceof KeyState.InDoubt) inDoubt++;
            if (kept == null) {
                if (records.remove(entry.getKey(), record)) removed++;
            } else if (record.state() instanceof KeyState.Done && kept.state() instanceof KeyState.Spent) {
                if (records.replace(entry.getKey(), record, kept)) stripped++;
            }
        }
        sweptUpTo = "";
        return new Swept(looked, removed, stripped, true, due, List.of(), inDoubt);
    }

    @Override
    public StoreTraits traits() {
        return DECLARED.usual().withSkew(skew);
    }

    @Override
    public KeyIndex index() {
        return this;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public void close() {}

    private Seen seen(KeyId id, KeyRecord record) {
        if (!record.id().equals(id)) throw new IllegalStateException("Two keys have the same digest: " + id);
        return new Seen(record, clock.instant());
    }

    private static String address(KeyId id) {
        return HexFormat.of().formatHex(id.digest());
    }
}
