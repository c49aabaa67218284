package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreTraits;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** PostgreSQL: one statement takes the rows of many callers, a column at a time. */
final class PostgresDialect implements Dialect {
    private static final JoiningKeyStore JOINING = new PostgresJoining();
    private static final KeyRows ROWS = PostgresRows.INSTANCE;

    /**
     * Each insert takes an advisory lock until the end of its statement, and a server has room for so many by default for
     * each of its connections: then it never runs out of them.
     */
    private static final int MOST_INSERTS = 64;

    private final StatementExecutor statements;
    private final PostgresListing listing;
    private final PostgresSweep sweep;
    private final StoreTraits traits;

    PostgresDialect(DataSource source, JdbcOptions options) {
        this.statements = new StatementExecutor(source, PostgresFailures.INSTANCE, options.statementTimeout());
        this.listing = new PostgresListing(statements.forBackgroundWork());
        this.sweep = new PostgresSweep(statements.forBackgroundWork());
        this.traits = PostgresKeyStore.DECLARED.surviving(PostgresDurability.of(statements));
    }

    @Override
    public int mostInserts() {
        return MOST_INSERTS;
    }

    @Override
    public Map<ByteBuffer, InsertResult> insert(List<NewKey> keys) {
        return statements.write(PostgresSql.INSERT, parameters -> fillKeys(parameters, keys), it -> results(it, keys));
    }

    private static void fillKeys(Parameters parameters, List<NewKey> keys) throws SQLException {
        parameters
                .bytes(keys, key -> key.id().digest())
                .texts(keys, key -> key.id().tenant())
                .texts(keys, key -> key.id().operation())
                .texts(keys, key -> key.id().key())
                .bytes(keys, key -> key.fingerprint().bytes())
                .texts(keys, NewKey::holder)
                .numbers(keys, key -> Micros.of(key.lease()))
                .integers(keys, key -> key.remote() ? 1 : null)
                .bytes(keys, key -> KeyRows.orNull(key.memo().encoded()))
                .integers(keys, key -> StateNumber.held(key.guarantee()))
                .numbers(keys, key -> PostgresJoining.lockOf(key.id()))
                .bytes(keys, key -> key.id().digest());
    }

    /** What was written is known here but for the time, and not read again. */
    private static Map<ByteBuffer, InsertResult> results(ResultSet rows, List<NewKey> keys) throws SQLException {
        Map<ByteBuffer, NewKey> asked = new HashMap<>();
        for (NewKey key : keys) asked.put(ByteBuffer.wrap(key.id().digest()), key);
        Map<ByteBuffer, InsertResult> found = new HashMap<>();
        Instant now = null;
        while (rows.next()) {
            if (now == null) now = ROWS.instant(rows, "now");
            ByteBuffer id = ByteBuffer.wrap(rows.getBytes("id"));
            NewKey key = asked.get(id);
            if (key == null) throw new IllegalStateException("A row came back that was not asked for.");
            boolean fresh = rows.getBoolean("fresh");
            found.put(id, fresh ? new InsertResult.Known(new Inserted.Fresh(key.at(now))) : ROWS.existing(rows, now));
        }
        return found;
    }

    @Override
    public Map<ByteBuffer, Instant> replace(List<Replace> replaces) {
        return statements.write(
                PostgresSql.REPLACE, parameters -> fillReplaces(parameters, replaces), PostgresDialect::swapped);
    }

    private static void fillReplaces(Parameters parameters, List<Replace> replaces) throws SQLException {
        parameters
                .bytes(replaces, replace -> replace.id().digest())
                .numbers(replaces, replace -> replace.seen().revision())
                .bytes(replaces, replace -> replace.change().fingerprint().bytes())
                .numbers(replaces, replace -> replace.change().token())
                .integers(replaces, replace -> replace.change().attempt());
        StateColumns.fill(parameters, replaces.stream().map(Replace::next).toList());
    }

    private static Map<ByteBuffer, Instant> swapped(ResultSet rows) throws SQLException {
        Map<ByteBuffer, Instant> swapped = new HashMap<>();
        Instant now = null;
        while (rows.next()) {
            if (now == null) now = ROWS.instant(rows, "now");
            swapped.put(ByteBuffer.wrap(rows.getBytes("id")), now);
        }
        return swapped;
    }

    @Override
    public Optional<Seen> find(KeyId id) {
        return statements.read(
                PostgresSql.FIND,
                parameters -> parameters.bytes(id.digest()),
                rows -> rows.next() ? Optional.of(ROWS.seen(rows)) : Optional.empty());
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        byte[][] digests = ids.stream().map(KeyId::digest).toArray(byte[][]::new);
        return statements.read(PostgresSql.FIND_ALL, parameters -> parameters.array("bytea", digests), rows -> {
            List<Seen> found = new ArrayList<>(digests.length);
            while (rows.next()) found.add(ROWS.seen(rows));
            return found;
        });
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
    public Instant now() {
        return statements.read(PostgresSql.NOW, parameters -> {}, row -> {
            row.next();
            return ROWS.instant(row, "now");
        });
    }

    @Override
    public Swept sweep(int limit) {
        return sweep.step(limit);
    }

    @Override
    public Listing.Page list(Listing asked) {
        return listing.page(asked);
    }

    @Override
    public SqlFailures failures() {
        return PostgresFailures.INSTANCE;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public JoiningKeyStore joining() {
        return JOINING;
    }
}
