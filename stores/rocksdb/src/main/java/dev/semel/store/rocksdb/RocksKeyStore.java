package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.GroupCommits;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreLife;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * The embedded store: key records in a folder on this machine, kept by RocksDB. The folder belongs to one process at a
 * time.
 *
 * <p>Safe for use by any number of threads, virtual ones too. Writes of concurrent callers share one sync, so the more
 * there are, the less each costs; a key that is already there is answered with a read alone.
 *
 * <p><b>Durable when a call returns:</b> with {@link Durability#SYNC}, also when the power fails; with
 * {@link Durability#OS}, when the process dies, but not when the machine does. Nobody sees a write before that.
 *
 * <p><b>Unknown:</b> when the disk refuses a write, its callers get {@link StoreException.Applied#UNKNOWN}, and from
 * then on every write is refused, with {@link StoreException.Applied#NO}. Reads go on, and show only what was durable
 * before. As soon as the disk takes writes, the store closes and opens itself: then it has what is on disk.
 *
 * <p>When the disk does not answer for about two seconds, those whose write is under way get {@code UNKNOWN} too, and
 * everyone else is refused, readers included, until it answers.
 */
public final class RocksKeyStore implements KeyStore, KeyIndex, GroupCommits {
    /** Of a store that is opened with {@link Durability#SYNC}, as it is by default. */
    public static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "RocksDB", StoreTraits.surviving(Survives.POWER_LOSS).withClock(StoreTraits.LeaseClock.PROCESS))
            .atLeast(Survives.PROCESS_DEATH, "`?durability=`");

    private static final int MAX_LOST_RACES = 64;

    /** Has no keys: tenants are told apart by their names, and none is called this. */
    private static final String NO_TENANT = "\u0000";

    private final Database database;
    private final Clock clock;
    private final RecordReader records;
    private final Committer committer;
    private final Sweep sweep;
    private final Durability durability;
    private final StoreLife life;
    private final ReentrantLock closeOnce = new ReentrantLock();
    private boolean closed;

    private RocksKeyStore(
            Database database, Durability durability, Clock clock, Committer.Disk disk, Duration timeout) {
        this.database = database;
        this.clock = clock;
        this.durability = durability;
        this.records = new RecordReader(database);
        this.committer = new Committer(database, disk, durability, clock, timeout);
        this.life = StoreLife.begin(clock.instant());
        this.sweep = new Sweep(database, committer, life);
    }

    /**
     * Opens the store that {@code rocksdb:DIR}, {@code rocksdb:DIR?durability=sync} or {@code ...=os} names.
     *
     * @throws IllegalArgumentException when the URL says anything else
     * @throws IllegalStateException as {@link #open(Path, Durability, Clock)}
     */
    public static RocksKeyStore open(String url) {
        RocksUrl parsed = RocksUrl.parse(url);
        return open(parsed.dir(), parsed.durability());
    }

    /** Opens the store in this folder, on the clock of this machine. */
    public static RocksKeyStore open(Path dir, Durability durability) {
        return open(dir, durability, Clock.systemUTC());
    }

    /**
     * Opens the store in this folder, and makes the folder if there is none.
     *
     * @param clock the store's clock, by which leases and retention are judged
     * @throws IllegalStateException when another process, or this one, has it open already, or when the folder or what
     *     is in it cannot be used
     */
    public static RocksKeyStore open(Path dir, Durability durability, Clock clock) {
        return open(dir, durability, clock, RocksDB::write, HangDetector.DEFAULT_TIMEOUT);
    }

    static RocksKeyStore open(Path dir, Durability durability, Clock clock, Committer.Disk disk, Duration timeout) {
        RocksKeyStore store = new RocksKeyStore(StoreFolder.open(dir), durability, clock, disk, timeout);
        store.committer.start();
        return store;
    }

    @Override
    public Inserted insert(NewKey key) {
        for (int round = 0; round < MAX_LOST_RACES; round++) {
            // A duplicate ends here, with one read and no sync: what can be read is durable.
            Seen seen = find(key.id());
            if (seen != null) return new Inserted.Existing(seen);
            KeyRecord fresh = committer.commit(new Write.Insert(key)).fresh();
            if (fresh != null) return new Inserted.Fresh(fresh);
        }
        throw tooFast(key.id());
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        for (int round = 0; round < MAX_LOST_RACES; round++) {
            KeyRecord swapped =
                    committer.commit(new Write.Replace(seen, change)).swapped();
            if (swapped != null) return new Replaced.Swapped(swapped);
            Seen current = find(seen.id());
            // Someone who guesses a revision may be right between the two looks; then the answer is not "moved".
            if (current == null || current.record().revision() != seen.revision()) return new Replaced.Moved(current);
        }
        throw tooFast(seen.id());
    }

    private static StoreException tooFast(KeyId id) {
        return StoreException.notApplied("The key changes faster than it can be written: " + id, null);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        KeyRecord record = records.find(id);
        return record == null ? null : new Seen(life.asOf(record), clock.instant());
    }

    /** One read a key: RocksDB's own read of many keys passes over a failed read as if there were no record. */
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
        Instant now = clock.instant();
        return database.scan(KeyListing.cursor(listing.after()), scan -> KeyListing.page(scan, listing, now));
    }

    /** The first count scans all records; from then on they are counted as they come and go. */
    @Override
    public long count(String tenant, long upTo) {
        return Math.min(committer.count(tenant), upTo);
    }

    /** Scans all records now, so that no claim has to wait for that. */
    @Override
    public void prepareToCount() {
        committer.count(NO_TENANT);
    }

    @Override
    public Swept sweep(int limit) {
        return sweep.step(limit, clock.instant());
    }

    @Override
    public StoreTraits traits() {
        return DECLARED.surviving(survives(durability)).withLife(life);
    }

    /** What the store of this URL will promise: here the URL says all. */
    public static DeclaredTraits declared(String url) {
        StoreTraits traits = DECLARED.surviving(survives(RocksUrl.parse(url).durability()));
        return DeclaredTraits.always(DECLARED.store(), traits);
    }

    private static Survives survives(Durability durability) {
        return durability == Durability.SYNC ? Survives.POWER_LOSS : Survives.PROCESS_DEATH;
    }

    @Override
    public KeyIndex index() {
        return this;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    /** How many writes shared how many commits since the store was opened. */
    public CommitCount commits() {
        return committer.count();
    }

    @Override
    public void onCommit(IntConsumer writes) {
        committer.onCommit(writes);
    }

    int queued() {
        return committer.queued();
    }

    Sweep sweep() {
        return sweep;
    }

    void compact() throws RocksDBException {
        database.compact();
    }

    /** Finishes the writes that are under way, then closes. Calls that come later are refused. */
    @Override
    public void close() {
        closeOnce.lock();
        try {
            if (closed) return;
            committer.close();
            database.close();
            closed = true;
        } finally {
            closeOnce.unlock();
        }
    }
}
