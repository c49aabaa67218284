package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Survives;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** MariaDB and MySQL: a few statements in one round trip write the rows of many callers. */
final class MariaDbDialect implements Dialect {
    private static final MicrosRows ROWS = MicrosRows.INSTANCE;
    private static final int MOST_INSERTS = 64;
    private static final int MOST_DEADLOCKS = 5;

    /** What a packet takes besides an outcome, which may take twice its bytes in it. */
    private static final long PACKET_ROOM = 256 * 1024;

    private final StatementExecutor statements;
    private final MicrosSql reads;
    private final WalkById walk;
    private final StoreTraits traits;
    private final @Nullable JoiningKeyStore joining;
    private final JoinedElsewhere joined = new JoinedElsewhere();

    MariaDbDialect(DataSource source) {
        // The driver would put a time-out in front of the first statement only.
        this.statements = new StatementExecutor(source, MariaDbFailures.INSTANCE, Duration.ZERO);
        this.reads = new MicrosSql(statements, MariaDbSql.NOW);
        this.walk = new WalkById(statements, MariaDbSql.NOW);
        this.joining = joiningHere();
        this.traits = readTraits();
    }

    /**
     * Not on MySQL, which has no insert that does not wait. And not where a wait that is over rolls back the caller's transaction
     * with it.
     */
    private @Nullable JoiningKeyStore joiningHere() {
        boolean joins = statements.read(
                "select version() as version, @@innodb_rollback_on_timeout as everything", parameters -> {}, row -> {
                    row.next();
                    return row.getString("version").contains("MariaDB") && row.getInt("everything") == 0;
                });
        return joins ? new MariaDbJoining(new MariaDbJoiningSql(knowsSnapshotIsolation())) : null;
    }

    private boolean knowsSnapshotIsolation() {
        return statements.read(
                "show global variables like 'innodb_snapshot_isolation'", parameters -> {}, ResultSet::next);
    }

    private StoreTraits readTraits() {
        return statements.read(
                "select @@innodb_flush_log_at_trx_commit as flushed, @@max_allowed_packet as packet",
                parameters -> {},
                row -> {
                    row.next();
                    Survives survives = switch (row.getInt("flushed")) {
                        case 1 -> Survives.POWER_LOSS;
                        case 0 -> Survives.NOTHING;
                        default -> Survives.PROCESS_DEATH;
                    };
                    StoreTraits traits = MariaDbKeyStore.DECLARED.surviving(survives);
                    return (joining == null ? traits.withoutJoining() : traits)
                            .withLargestOutcome(largestOutcome(row.getLong("packet")));
                });
    }

    /** Each byte may need two on the way. */
    static long largestOutcome(long packet) {
        return Math.max(64 * 1024, (packet - PACKET_ROOM) / 2);
    }

    @Override
    public int mostInserts() {
        return MOST_INSERTS;
    }

    @Override
    public Map<ByteBuffer, InsertResult> insert(List<NewKey> keys) {
        try {
            return withoutDeadlock(() -> statements.writeTogether(
                    MariaDbSql.insert(keys.size()), parameters -> fillKeys(parameters, keys), it -> results(it, keys)));
        } catch (StoreException e) {
            if (keys.size() > 1 || !MariaDbFailures.isLockedOut(e)) throw e;
            joined.add(keys.getFirst().id());
            return Map.of();
        }
    }

    @Override
    public boolean isJoined(KeyId id) {
        return joined.contains(id);
    }

    /** Nothing of it was written then, and whom it met has gone on. */
    private static <T> T withoutDeadlock(Supplier<T> write) {
        for (int deadlocks = 1; ; deadlocks++) {
            try {
                return write.get();
            } catch (StoreException e) {
                if (deadlocks == MOST_DEADLOCKS || !MariaDbFailures.isDeadlock(e)) throw e;
            }
        }
    }

    private static void fillKeys(Parameters parameters, List<NewKey> keys) throws SQLException {
        for (NewKey key : keys)
            parameters
                    .bytes(key.id().digest())
                    .utf8(key.id().tenant())
                    .utf8(key.id().operation())
                    .utf8(key.id().key())
                    .bytes(key.fingerprint().bytes())
                    .utf8(key.holder())
                    .number(Micros.of(key.lease()))
                    .number(key.remote() ? 1 : 0)
                    .bytes(KeyRows.orNull(key.memo().encoded()))
                    .number(StateNumber.held(key.guarantee()));
        for (NewKey key : keys) parameters.bytes(key.id().digest());
    }

    private static Map<ByteBuffer, InsertResult> results(Statement executed, List<NewKey> keys) throws SQLException {
        Map<ByteBuffer, NewKey> asked = new HashMap<>();
        for (NewKey key : keys) asked.put(ByteBuffer.wrap(key.id().digest()), key);
        Map<ByteBuffer, InsertResult> found = new HashMap<>();
        try (ResultSet rows = onlyRows(executed)) {
            while (rows.next()) {
                ByteBuffer id = ByteBuffer.wrap(rows.getBytes("id"));
                Instant now = ROWS.instant(rows, "now");
                InsertResult result = ROWS.existing(rows, now);
                NewKey key = asked.get(id);
                if (key == null) throw new IllegalStateException("A row came back that was not asked for.");
                found.put(
                        id,
                        isFresh(result, key, now) ? new InsertResult.Known(new Inserted.Fresh(key.at(now))) : result);
            }
        }
        awaitCommit(executed);
        return found;
    }

    private static boolean isFresh(InsertResult result, NewKey key, Instant now) {
        return result instanceof InsertResult.Known(Inserted.Existing(Seen seen))
                && seen.record().equals(key.at(now));
    }

    private static ResultSet onlyRows(Statement executed) throws SQLException {
        while (executed.getResultSet() == null) {
            if (!executed.getMoreResults() && executed.getUpdateCount() < 0)
                throw new SQLException("None of several statements gave rows.");
        }
        return executed.getResultSet();
    }

    /** The commit comes last: what a driver has not read yet may say that it failed. */
    private static void awaitCommit(Statement executed) throws SQLException {
        boolean more = executed.getMoreResults();
        while (more || executed.getUpdateCount() >= 0) more = executed.getMoreResults();
    }

    @Override
    public Map<ByteBuffer, Instant> replace(List<Replace> replaces) {
        return withoutDeadlock(() -> statements.writeTogether(
                MariaDbSql.replace(replaces.size()),
                parameters -> fillReplaces(parameters, replaces),
                it -> swapped(it, replaces)));
    }

    private static void fillReplaces(Parameters parameters, List<Replace> replaces) throws SQLException {
        for (Replace replace : replaces) {
            StateColumns next = replace.next();
            parameters
                    .bytes(replace.change().fingerprint().bytes())
                    .number(replace.change().token())
                    .number(replace.change().attempt())
                    .number(next.state())
                    .numberOrNull(Micros.orNull(next.since()))
                    .utf8(next.holder())
                    .numberOrNull(Micros.orNull(next.lease()))
                    .numberOrNull(Micros.orNull(next.replay()))
                    .numberOrNull(Micros.orNull(next.forget()))
                    .utf8(next.reason())
                    .number(next.state())
                    .numberOrNull(Micros.orNull(next.probe()))
                    .numberOrNull(next.probes() == null ? null : next.probes().longValue())
                    .bytes(next.outcome() == null ? null : next.outcome().encoded())
                    .number(next.remote() ? 1 : 0)
                    .bytes(KeyRows.orNull(next.memo().encoded()))
                    .bytes(KeyRows.orNull(next.history().bytes()))
                    .bytes(replace.id().digest())
                    .number(replace.seen().revision());
        }
    }

    /** The counts of the updates come in their order, after those of what begins them. */
    private static Map<ByteBuffer, Instant> swapped(Statement executed, List<Replace> replaces) throws SQLException {
        List<Long> counts = new ArrayList<>();
        while (executed.getResultSet() == null) {
            counts.add(executed.getLargeUpdateCount());
            if (!executed.getMoreResults() && executed.getLargeUpdateCount() < 0)
                throw new SQLException("The last of several statements gave no rows.");
        }
        int first = replaces.size() == 1 ? 2 : 3;
        Map<ByteBuffer, Instant> swapped = new HashMap<>();
        try (ResultSet row = executed.getResultSet()) {
            row.next();
            Instant now = ROWS.instant(row, "now");
            for (int i = 0; i < replaces.size(); i++)
                if (counts.get(first + i) == 1)
                    swapped.put(ByteBuffer.wrap(replaces.get(i).id().digest()), now);
        }
        return swapped;
    }

    @Override
    public Optional<Seen> find(KeyId id) {
        return reads.find(id);
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        return reads.findAll(ids);
    }

    @Override
    public long count(String tenant, long upTo) {
        return reads.count(tenant, upTo);
    }

    @Override
    public Instant now() {
        return reads.now();
    }

    @Override
    public Swept sweep(int limit) {
        return walk.step(limit);
    }

    @Override
    public Listing.Page list(Listing asked) {
        return reads.list(asked);
    }

    @Override
    public SqlFailures failures() {
        return MariaDbFailures.INSTANCE;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public @Nullable JoiningKeyStore joining() {
        return joining;
    }
}
