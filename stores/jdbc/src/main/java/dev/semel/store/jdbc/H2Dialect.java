package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** H2, for unit tests: it is in this process, so a statement for each row costs nothing. */
final class H2Dialect implements Dialect {
    private static final MicrosRows ROWS = MicrosRows.INSTANCE;
    private static final String NOW = "cast(extract(epoch from current_timestamp(6)) * 1000000 as bigint)";
    private static final int DUPLICATE_KEY = 23505;
    private static final int MOST_INSERTS = 64;

    private static final String INSERT = """
        insert into semel_key (id, tenant, operation, client_key, fingerprint, holder, lease_until, remote, memo, state,
            token, revision, attempt, since)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
        """;

    private static final String UPDATE = """
        update semel_key set
            fingerprint = ?, token = ?, attempt = ?, revision = revision + 1, state = ?, since = ?, holder = ?,
            lease_until = ?, replay_until = ?, forget_at = ?, reason = ?,
            doubt_since = case when cast(? as int) = 3 then coalesce(doubt_since, cast(? as bigint)) end,
            probe_at = ?, probes = ?, outcome = ?, remote = ?, memo = ?, history = ?
        where id = ? and revision = ?
        """;

    private final StatementExecutor statements;
    private final MicrosSql reads;
    private final WalkById walk;

    H2Dialect(DataSource source, JdbcOptions options) {
        this.statements = new StatementExecutor(source, H2Failures.INSTANCE, options.statementTimeout());
        this.reads = new MicrosSql(statements, NOW);
        this.walk = new WalkById(statements, NOW);
    }

    @Override
    public int mostInserts() {
        return MOST_INSERTS;
    }

    @Override
    public Map<ByteBuffer, InsertResult> insert(List<NewKey> keys) {
        return statements.inTransaction(connection -> {
            long now = now(connection);
            Map<ByteBuffer, InsertResult> results = new HashMap<>();
            for (NewKey key : keys) {
                InsertResult result = isInserted(connection, key, now)
                        ? new InsertResult.Known(new Inserted.Fresh(key.at(instant(now))))
                        : existing(connection, key.id());
                if (result != null) results.put(ByteBuffer.wrap(key.id().digest()), result);
            }
            return results;
        });
    }

    /** It stands still in a transaction. */
    private static long now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + NOW)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static boolean isInserted(Connection connection, NewKey key, long now) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            new Parameters(insert)
                    .bytes(key.id().digest())
                    .utf8(key.id().tenant())
                    .utf8(key.id().operation())
                    .utf8(key.id().key())
                    .bytes(key.fingerprint().bytes())
                    .utf8(key.holder())
                    .number(now + Micros.of(key.lease()))
                    .number(key.remote() ? 1 : 0)
                    .bytes(KeyRows.orNull(key.memo().encoded()))
                    .number(StateNumber.held(key.guarantee()))
                    .number(now)
                    .number(now)
                    .number(now);
            return insert.executeUpdate() == 1;
        } catch (SQLException e) {
            if (e.getErrorCode() != DUPLICATE_KEY) throw e;
            return false;
        }
    }

    private static @Nullable InsertResult existing(Connection connection, KeyId id) throws SQLException {
        String find = "select " + NOW + " as now, " + MicrosSql.COLUMNS + " from semel_key where id = ?";
        try (PreparedStatement statement = connection.prepareStatement(find)) {
            new Parameters(statement).bytes(id.digest());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? ROWS.existing(row, ROWS.instant(row, "now")) : null;
            }
        }
    }

    @Override
    public Map<ByteBuffer, Instant> replace(List<Replace> replaces) {
        return statements.inTransaction(connection -> {
            long now = now(connection);
            Map<ByteBuffer, Instant> swapped = new HashMap<>();
            for (Replace replace : replaces)
                if (isSwapped(connection, replace, now))
                    swapped.put(ByteBuffer.wrap(replace.id().digest()), instant(now));
            return swapped;
        });
    }

    private static boolean isSwapped(Connection connection, Replace replace, long now) throws SQLException {
        StateColumns next = replace.next();
        Long since = Micros.orNull(next.since());
        try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
            new Parameters(update)
                    .bytes(replace.change().fingerprint().bytes())
                    .number(replace.change().token())
                    .number(replace.change().attempt())
                    .number(next.state())
                    .number(since == null ? now : since)
                    .utf8(next.holder())
                    .numberOrNull(after(now, Micros.orNull(next.lease())))
                    .numberOrNull(after(now, Micros.orNull(next.replay())))
                    .numberOrNull(after(now, Micros.orNull(next.forget())))
                    .utf8(next.reason())
                    .number(next.state())
                    .number(now)
                    .numberOrNull(after(now, Micros.orNull(next.probe())))
                    .numberOrNull(next.probes() == null ? null : next.probes().longValue())
                    .bytes(next.outcome() == null ? null : next.outcome().encoded())
                    .number(next.remote() ? 1 : 0)
                    .bytes(KeyRows.orNull(next.memo().encoded()))
                    .bytes(KeyRows.orNull(next.history().bytes()))
                    .bytes(replace.id().digest())
                    .number(replace.seen().revision());
            return update.executeUpdate() == 1;
        }
    }

    private static @Nullable Long after(long now, @Nullable Long time) {
        return time == null ? null : Long.valueOf(now + time);
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
        return H2Failures.INSTANCE;
    }

    /** Not even in a file: it writes what is committed a moment later. */
    @Override
    public StoreTraits traits() {
        return H2KeyStore.DECLARED.usual();
    }
}
