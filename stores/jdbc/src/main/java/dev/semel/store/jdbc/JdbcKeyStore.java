package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.GroupCommits;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * A {@link KeyStore} in a relational database, shared by any number of processes. Safe for use by any number of threads.
 *
 * <p>The clock is the database's. Every call is one round trip and one transaction; the writes of concurrent callers share
 * one (group commit). What a commit survives is up to the database, and its {@linkplain #traits() traits} tell.
 */
public abstract sealed class JdbcKeyStore implements KeyStore, KeyIndex, GroupCommits
        permits PostgresKeyStore, MariaDbKeyStore, H2KeyStore {
    /** How often an insert that met another is tried again, when what it met is not to be seen. */
    private static final int MAX_UNSEEN = 2;

    /** How often a change is tried again while another transaction has the row: half a second in all. */
    private static final int MAX_LOCKED = 100;

    private static final long LOCKED_PAUSE_NANOS = 5_000_000;

    private final Dialect dialect;
    private final AutoCloseable connections;
    private final BatchedInserts inserts;
    private final BatchedReplaces replaces;
    private final StoreTraits traits;

    JdbcKeyStore(Dialect dialect, AutoCloseable connections, JdbcOptions options) {
        this.dialect = dialect;
        this.connections = connections;
        this.inserts = new BatchedInserts(dialect, options.maxConcurrentBatches(), options.connectionTimeout());
        this.replaces = new BatchedReplaces(dialect, options.maxConcurrentBatches(), options.connectionTimeout());
        this.traits = dialect.traits();
    }

    /**
     * What the store of this URL will promise, as far as the URL tells.
     *
     * @throws IllegalArgumentException when no database here goes by such a URL
     */
    public static DeclaredTraits declared(String jdbcUrl) {
        return switch (Database.of(jdbcUrl)) {
            case POSTGRESQL -> PostgresKeyStore.DECLARED;
            case MARIADB -> MariaDbKeyStore.DECLARED;
            case H2 -> H2KeyStore.DECLARED;
        };
    }

    /**
     * Opens a store with connections of its own, in the database that the URL names.
     *
     * @throws IllegalArgumentException when no database here goes by such a URL
     * @throws StoreException when the database cannot be reached, or does not let the tables be made
     * @throws IllegalStateException when the server is too old, or the tables are too new
     */
    public static JdbcKeyStore open(String jdbcUrl) {
        return switch (Database.of(jdbcUrl)) {
            case POSTGRESQL -> PostgresKeyStore.open(jdbcUrl);
            case MARIADB -> MariaDbKeyStore.open(jdbcUrl);
            case H2 -> H2KeyStore.open(jdbcUrl);
        };
    }

    /**
     * Opens a store on the caller's pool, which stays open when the store is closed, in the database that it leads to.
     *
     * @throws StoreException when the database cannot be reached, or does not let the tables be made
     * @throws IllegalStateException when the server is too old, or not set up as the store of its kind needs it
     */
    public static JdbcKeyStore open(DataSource pool) {
        return switch (Database.of(pool)) {
            case POSTGRESQL -> PostgresKeyStore.open(pool);
            case MARIADB -> MariaDbKeyStore.open(pool);
            case H2 -> H2KeyStore.open(pool);
        };
    }

    /**
     * The SQL that opening a store would run on this database, for those who let nobody but themselves make tables: empty
     * when its tables are up to date. Once it has run, opening a store needs no more than the right to read and write the
     * rows. Changes nothing.
     *
     * @throws StoreException when the database cannot be reached
     * @throws IllegalStateException when the server is too old, or the tables are too new
     */
    public static String missingSql(String jdbcUrl) {
        return switch (Database.of(jdbcUrl)) {
            case POSTGRESQL -> PostgresKeyStore.missing(jdbcUrl);
            case MARIADB -> MariaDbKeyStore.missing(jdbcUrl);
            case H2 -> H2KeyStore.missing(jdbcUrl);
        };
    }

    /** Whether a store could not be opened because its database does not take connections, or does not do so yet. */
    public static boolean isUnreachable(StoreException failure) {
        boolean noConnection = false;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            noConnection |= cause instanceof SQLTransientConnectionException;
            if (cause instanceof PSQLException said && said.getSQLState() != null) return PostgresFailures.isBusy(said);
            if (cause instanceof SQLException said && said.getErrorCode() > 0) return MariaDbFailures.isBusy(said);
        }
        return noConnection;
    }

    @Override
    public Inserted insert(NewKey key) {
        for (int unseen = 0; unseen < MAX_UNSEEN; unseen++) {
            Optional<Inserted> answer = inserts.insert(key);
            if (answer.isPresent()) return answer.get();
            Seen other = find(key.id());
            if (other != null) return new Inserted.Existing(other);
        }
        return new Inserted.Busy();
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        for (int locked = 0; locked < MAX_LOCKED; locked++) {
            Optional<KeyRecord> swapped = replaces.replace(seen, change);
            if (swapped.isPresent()) return new Replaced.Swapped(swapped.get());
            Seen current = find(seen.id());
            if (current == null || current.record().revision() != seen.revision()) return new Replaced.Moved(current);
            // Nobody has changed it, and yet it was not to be had.
            LockSupport.parkNanos(LOCKED_PAUSE_NANOS);
        }
        throw StoreException.notApplied(
                "Another transaction is writing this key, and does not end: " + seen.id(), null);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Optional<Seen> found = dialect.find(id);
        return found.isPresent() ? KeyRows.check(found.get(), id) : null;
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        if (ids.isEmpty()) return List.of();
        Set<KeyId> asked = new HashSet<>(ids);
        List<Seen> found = dialect.findAll(asked);
        for (Seen each : found) if (!asked.contains(each.record().id())) throw KeyRows.otherKey();
        return found;
    }

    @Override
    public @Nullable JoiningKeyStore joining() {
        return dialect.joining();
    }

    @Override
    public Listing.Page list(Listing asked) {
        return dialect.list(asked);
    }

    @Override
    public long count(String tenant, long upTo) {
        return dialect.count(tenant, upTo);
    }

    @Override
    public Swept sweep(int limit) {
        return dialect.sweep(limit);
    }

    @Override
    public void onCommit(IntConsumer writes) {
        inserts.onBatch(writes);
        replaces.onBatch(writes);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public KeyIndex index() {
        return this;
    }

    @Override
    public Instant now() {
        return dialect.now();
    }

    @Override
    public void close() {
        try {
            connections.close();
        } catch (Exception e) {
            throw new IllegalStateException("The connections could not be closed.", e);
        }
    }
}
