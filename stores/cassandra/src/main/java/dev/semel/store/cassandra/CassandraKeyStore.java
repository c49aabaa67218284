package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyStore} in Cassandra 4.1 or 5, shared by any number of processes. Safe for use by any number of threads.
 *
 * <p>Every write is one lightweight transaction, every look is a serial one: both see each other, also what was under way when a
 * node died. <b>Durable when a call returns</b> means agreed upon, and written by a quorum of the replicas; what that
 * survives follows from how many there are, and is in the {@linkplain #traits traits}. The clock is that of each client, within
 * {@linkplain CassandraOptions#skew a declared skew}. Outcomes and tombstones expire by themselves.
 *
 * <p>A write is <i>unknown</i> when its answer is lost, or when Cassandra says that it could not finish it in time. A serial look
 * then settles it. Nothing is tried again here, and the driver is not allowed to.
 */
public final class CassandraKeyStore implements KeyStore, KeyIndex {
    public static final DeclaredTraits DECLARED = CassandraTraits.DECLARED;

    private final AutoCloseable connection;
    private final Clock clock;
    private final StoreTraits traits;
    private final Requests requests;
    private final KeyStatements statements;
    private final KeyTurns turns;
    private final KeyListing listing;
    private final KeySweep sweep;

    private CassandraKeyStore(
            CqlSession session,
            AutoCloseable connection,
            KeyspaceMetadata keyspace,
            SerialScope scope,
            CassandraOptions options,
            Clock clock) {
        this.connection = connection;
        this.clock = clock;
        this.traits = CassandraTraits.of(keyspace, scope, ServerSettings.of(session), options.skew());
        this.requests = new Requests(session, options);
        this.statements = new KeyStatements(session, keyspace.getName().asCql(true), scope, options);
        this.turns = new KeyTurns(options.requestTimeout());
        KeyPages pages = new KeyPages(requests, statements);
        this.listing = new KeyListing(pages);
        this.sweep = new KeySweep(pages, requests, statements, this::now);
    }

    /** What the store of this URL will promise, as far as the URL tells. */
    public static DeclaredTraits declared(String url) {
        CassandraOptions options =
                CassandraUrl.parse(url, CassandraOptions.DEFAULT).options();
        return DECLARED.withUsual(DECLARED.usual().withSkew(options.skew()));
    }

    /** Opens a store with connections of its own, and with default options. */
    public static CassandraKeyStore open(String url) {
        return open(url, CassandraOptions.DEFAULT);
    }

    /**
     * Opens a store with connections of its own, which end when it is closed, and makes or migrates its tables.
     *
     * @param url {@code cassandra://[user:password@]host1,host2[:port]/keyspace?dc=…}, see docs/stores/cassandra.md
     * @throws IllegalArgumentException when the URL cannot be used
     * @throws StoreException when the cluster cannot be reached, does not let this user in, or lacks the keyspace
     * @throws IllegalStateException when the data center is not one of this cluster, the tables are too new, their keys are
     *     agreed upon in another scope, or the clock of this machine is off by more than the skew
     */
    public static CassandraKeyStore open(String url, CassandraOptions options) {
        return open(url, options, Clock.systemUTC());
    }

    /** The same, judged by this clock: for tests, in which clocks are moved by hand. */
    public static CassandraKeyStore open(String url, CassandraOptions options, Clock clock) {
        CassandraUrl parsed = CassandraUrl.parse(url, options);
        CqlSession session = CassandraConnection.open(parsed);
        try {
            String datacenter = CassandraConnection.datacenter(session, parsed);
            KeyspaceMetadata keyspace = CassandraConnection.keyspace(session, parsed, datacenter);
            return on(session, session, keyspace, datacenter, parsed.options(), clock);
        } catch (RuntimeException e) {
            session.close();
            throw CassandraFailures.whenOpening(e);
        }
    }

    /**
     * Opens a store on the caller's session, which stays open when the store is closed. Its default execution profile must have
     * {@link NeverRetry} for its retry policy.
     *
     * @param keyspace must exist
     * @param datacenter the local data center of the session
     */
    public static CassandraKeyStore open(
            CqlSession session, String keyspace, String datacenter, CassandraOptions options) {
        requireNoRetries(session);
        try {
            KeyspaceMetadata present = session.refreshSchema()
                    .getKeyspace(keyspace)
                    .orElseThrow(() -> StoreException.notApplied("There is no keyspace '" + keyspace + "'.", null));
            return on(session, () -> {}, present, datacenter, options, Clock.systemUTC());
        } catch (RuntimeException e) {
            throw CassandraFailures.whenOpening(e);
        }
    }

    private static void requireNoRetries(CqlSession session) {
        String profile = DriverExecutionProfile.DEFAULT_NAME;
        if (!(session.getContext().getRetryPolicy(profile) instanceof NeverRetry))
            throw new IllegalArgumentException(
                    "The session tries failed requests again, and so could take its own claim for"
                            + " that of someone else. Set advanced.retry-policy.class = " + NeverRetry.class.getName());
    }

    private static CassandraKeyStore on(
            CqlSession session,
            AutoCloseable connection,
            KeyspaceMetadata keyspace,
            String datacenter,
            CassandraOptions options,
            Clock clock) {
        SerialScope scope = scope(options, datacenter);
        if (clock.equals(Clock.systemUTC())) ClockCheck.run(session, options.skew());
        new CassandraSchema(session, keyspace.getName().asCql(true), scope).migrate();
        return new CassandraKeyStore(session, connection, keyspace, scope, options, clock);
    }

    /**
     * The CQL that opening a store would run in this keyspace, for those who let nobody but themselves make tables: empty
     * when its tables are up to date. Changes nothing.
     *
     * @throws StoreException when the cluster cannot be reached, or lacks the keyspace and the URL does not say {@code create=true}
     */
    public static String missingCql(String url) {
        CassandraUrl parsed = CassandraUrl.parse(url, CassandraOptions.DEFAULT);
        try (CqlSession session = CassandraConnection.open(parsed)) {
            String datacenter = CassandraConnection.datacenter(session, parsed);
            CassandraSchema schema =
                    new CassandraSchema(session, parsed.keyspace(), scope(parsed.options(), datacenter));
            return CassandraConnection.missingKeyspace(session, parsed, datacenter) + schema.missing();
        } catch (RuntimeException e) {
            throw CassandraFailures.whenOpening(e);
        }
    }

    private static SerialScope scope(CassandraOptions options, String datacenter) {
        return options.consistency() == CassandraOptions.Consistency.LOCAL
                ? new SerialScope.Local(datacenter)
                : new SerialScope.Global();
    }

    /** Whether a store could not be opened because its cluster does not answer, or not yet. */
    public static boolean isUnreachable(StoreException failure) {
        return CassandraFailures.isUnreachable(failure);
    }

    @Override
    public Inserted insert(NewKey key) {
        return turns.take(key.id(), turn -> {
            Seen known = turn.known();
            if (known != null) return new Inserted.Existing(known);
            KeyRecord fresh = asStored(key).at(now());
            Row answer = write(turn, statements.write(fresh, null));
            if (KeyRows.isApplied(answer)) {
                turn.learned(new Seen(fresh, now()));
                return new Inserted.Fresh(fresh);
            }
            Seen present = learn(turn, answer, key.id());
            if (present != null) return new Inserted.Existing(present);
            throw StoreException.notApplied("Cassandra says that a key is there, and does not show it.", null);
        });
    }

    private static NewKey asStored(NewKey key) {
        return key.withLease(StoredForm.roundedUp(key.lease()));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        requireRoom(change);
        return turns.take(seen.id(), turn -> {
            if (turn.isKnown() && !isStill(seen, turn.known())) return new Replaced.Moved(turn.known());
            KeyRecord next = StoredForm.of(change).after(seen, now());
            Row answer = write(turn, statements.write(next, seen.revision()));
            if (!KeyRows.isApplied(answer)) return new Replaced.Moved(learn(turn, answer, seen.id()));
            turn.learned(new Seen(next, now()));
            return new Replaced.Swapped(next);
        });
    }

    private void requireRoom(Change change) {
        if (change.next() instanceof Next.Done done && done.outcome().encoded().length > traits.largestOutcome())
            throw StoreException.notApplied(
                    "The outcome has " + done.outcome().encoded().length + " bytes; Cassandra, as it is set up, keeps "
                            + traits.largestOutcome() + ". Nothing was written.",
                    null);
    }

    private static boolean isStill(KeyRecord seen, @Nullable Seen known) {
        return known != null && known.record().revision() == seen.revision();
    }

    private Row write(KeyTurns.Turn turn, BoundStatement statement) {
        turn.asking();
        return requests.write(statement);
    }

    private @Nullable Seen learn(KeyTurns.Turn turn, @Nullable Row answer, KeyId id) {
        KeyRecord record = KeyRows.record(answer, id);
        Seen seen = record == null ? null : new Seen(record, now());
        turn.learned(seen);
        return seen;
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        return turns.take(id, turn -> {
            if (turn.isKnown()) return turn.known();
            turn.asking();
            return learn(turn, requests.readOne(statements.find(id)), id);
        });
    }

    /** A record that cannot be read is left out: it fails whoever asks for it alone, and not all who share this look. */
    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        List<KeyId> asked = List.copyOf(ids);
        List<@Nullable Row> rows =
                requests.readEach(asked.stream().map(statements::find).toList());
        List<Seen> found = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            KeyRecord record = readable(rows.get(i), asked.get(i));
            if (record != null) found.add(new Seen(record, now()));
        }
        return found;
    }

    private static @Nullable KeyRecord readable(@Nullable Row row, KeyId id) {
        try {
            return KeyRows.record(row, id);
        } catch (StoreException e) {
            return null;
        }
    }

    @Override
    public Listing.Page list(Listing asked) {
        return listing.page(asked, now());
    }

    @Override
    public long count(String tenant, long upTo) {
        throw new UnsupportedOperationException(
                "Cassandra cannot count the keys of a tenant without reading all keys.");
    }

    @Override
    public Swept sweep(int limit) {
        return sweep.step(limit);
    }

    @Override
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
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
    public void close() {
        try {
            connection.close();
        } catch (Exception e) {
            throw new IllegalStateException("The connections could not be closed.", e);
        }
    }
}
