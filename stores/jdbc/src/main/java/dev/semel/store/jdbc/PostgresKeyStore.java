package dev.semel.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.GroupCommits;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyStore} in PostgreSQL 14 or later, shared by any number of processes. Safe for use by any number of threads.
 *
 * <p><b>Durable when a call returns</b> is what the server's {@code synchronous_commit} makes of it; with {@code on}, the
 * default, a write that was answered survives a crash of the server. The clock is the database's. Every call is one
 * statement in a transaction of its own, at the isolation level "read committed"; the writes of concurrent
 * callers share one (group commit).
 *
 * <p>Works behind PgBouncer in transaction mode. A PgBouncer that does not know prepared statements needs
 * {@code prepareThreshold=0} in the URL.
 */
public final class PostgresKeyStore implements KeyStore, KeyIndex, GroupCommits {
    /** How often an insert that met another is tried again, when what it met is not to be seen. */
    private static final int MAX_UNSEEN = 2;

    /** How often a change is tried again while another transaction has the row: half a second in all. */
    private static final int MAX_LOCKED = 100;

    private static final long LOCKED_PAUSE_NANOS = 5_000_000;

    private static final JoiningKeyStore JOINING = new PostgresJoining();

    private final AutoCloseable connections;
    private final StatementExecutor statements;
    private final BatchedInserts inserts;
    private final BatchedReplaces replaces;
    private final PostgresListing listing;
    private final PostgresSweep sweep;
    private final StoreTraits traits;

    private PostgresKeyStore(DataSource source, AutoCloseable connections, PostgresOptions options) {
        this.connections = connections;
        this.statements = new StatementExecutor(source, options.statementTimeout());
        this.inserts = new BatchedInserts(statements, options.maxConcurrentBatches(), options.connectionTimeout());
        this.replaces = new BatchedReplaces(statements, options.maxConcurrentBatches(), options.connectionTimeout());
        this.listing = new PostgresListing(statements.forBackgroundWork());
        this.sweep = new PostgresSweep(statements.forBackgroundWork());
        this.traits = StoreTraits.surviving(PostgresDurability.of(statements)).withJoining();
    }

    /** Opens a store with connections of its own, and with default options. */
    public static PostgresKeyStore open(String jdbcUrl) {
        return open(jdbcUrl, PostgresOptions.DEFAULT);
    }

    /**
     * Opens a store with connections of its own, which end when it is closed, and makes or migrates its tables.
     *
     * @throws StoreException when the database cannot be reached, or does not let the tables be made
     * @throws IllegalStateException when the server is too old, or the tables are too new
     */
    public static PostgresKeyStore open(String jdbcUrl, PostgresOptions options) {
        HikariDataSource pool = PostgresPool.open(jdbcUrl, options);
        try {
            PostgresMigrations.run(pool);
            return new PostgresKeyStore(pool, pool, options);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /**
     * Opens a store on the caller's pool, which stays open when the store is closed. The pool's connections should have a
     * socket timeout, longer than the {@linkplain PostgresOptions#statementTimeout() statement timeout}.
     */
    public static PostgresKeyStore open(DataSource pool) {
        PostgresMigrations.run(pool);
        return new PostgresKeyStore(pool, () -> {}, PostgresOptions.DEFAULT);
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
        PostgresOptions once = PostgresOptions.DEFAULT.withPoolSize(1).withConnectionTimeout(Duration.ofSeconds(10));
        try (HikariDataSource pool = PostgresPool.open(jdbcUrl, once)) {
            return PostgresMigrations.missing(pool);
        }
    }

    /** Whether a store could not be opened because its database does not take connections, or does not do so yet. */
    public static boolean isUnreachable(StoreException failure) {
        return PostgresFailures.isUnreachable(failure);
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
    public JoiningKeyStore joining() {
        return JOINING;
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Optional<Seen> found = statements.read(
                PostgresSql.FIND,
                parameters -> parameters.bytes(id.digest()),
                rows -> rows.next() ? Optional.of(KeyRows.seen(rows)) : Optional.empty());
        return found.isPresent() ? KeyRows.check(found.get(), id) : null;
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        if (ids.isEmpty()) return List.of();
        Set<KeyId> asked = new HashSet<>(ids);
        byte[][] digests = asked.stream().map(KeyId::digest).toArray(byte[][]::new);
        return statements.read(PostgresSql.FIND_ALL, parameters -> parameters.array("bytea", digests), rows -> {
            List<Seen> found = new ArrayList<>(digests.length);
            while (rows.next()) {
                Seen seen = KeyRows.seen(rows);
                if (!asked.contains(seen.record().id())) throw KeyRows.otherKey();
                found.add(seen);
            }
            return found;
        });
    }

    @Override
    public Listing.Page list(Listing asked) {
        return listing.page(asked);
    }

    @Override
    public long count(String tenant, long upTo) {
        return statements.read(
                PostgresSql.COUNT, parameters -> parameters.text(tenant).number(upTo), row -> {
                    row.next();
                    return row.getLong(1);
                });
    }

    @Override
    public Swept sweep(int limit) {
        return sweep.step(limit);
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
        return statements.read(PostgresSql.NOW, parameters -> {}, row -> {
            row.next();
            return KeyRows.instant(row, "now");
        });
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
