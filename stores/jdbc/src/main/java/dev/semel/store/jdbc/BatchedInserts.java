package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Inserts the new keys of concurrent callers in batches. */
final class BatchedInserts {
    private record Insert(NewKey key) implements WriteBatcher.Write {
        @Override
        public KeyId id() {
            return key.id();
        }

        @Override
        public long bytes() {
            return key.memo().encoded().length;
        }
    }

    /** The result of one insert. A record that cannot be read fails only the caller that asked for it. */
    private sealed interface Result {
        record Known(Inserted inserted) implements Result {}

        record Unreadable(StoreException why) implements Result {}
    }

    /**
     * Each insert takes an advisory lock until the end of its statement, and a server has room for so many by default for
     * each of its connections: then it never runs out of them.
     */
    private static final int MAX_INSERTS = 64;

    private final StatementExecutor statements;
    private final WriteBatcher<Insert, Optional<Result>> batcher;

    BatchedInserts(StatementExecutor statements, int maxConcurrentBatches, Duration queueTimeout) {
        this.statements = statements;
        this.batcher = new WriteBatcher<>(this::write, MAX_INSERTS, maxConcurrentBatches, queueTimeout);
    }

    void onBatch(IntConsumer size) {
        batcher.onBatch(size);
    }

    /** Empty when the insert met another that this statement's snapshot does not show yet, or a key that is joined. */
    Optional<Inserted> insert(NewKey key) {
        Optional<Result> result = batcher.submit(new Insert(key.withLease(Micros.roundedUp(key.lease()))));
        return result.map(it -> inserted(it, key));
    }

    private static Inserted inserted(Result result, NewKey key) {
        switch (result) {
            case Result.Unreadable(StoreException why) ->
                throw StoreException.notApplied(String.valueOf(why.getMessage()), why);
            case Result.Known(Inserted inserted) -> {
                if (inserted instanceof Inserted.Existing it) KeyRows.check(it.seen(), key.id());
                return inserted;
            }
        }
    }

    private List<Optional<Result>> write(List<Insert> batch) {
        List<NewKey> keys = batch.stream().map(Insert::key).toList();
        Map<ByteBuffer, Result> rows =
                statements.write(PostgresSql.INSERT, parameters -> fill(parameters, keys), it -> read(it, keys));
        return keys.stream()
                .map(key -> Optional.ofNullable(rows.get(digest(key))))
                .toList();
    }

    private static ByteBuffer digest(NewKey key) {
        return ByteBuffer.wrap(key.id().digest());
    }

    private static void fill(Parameters parameters, List<NewKey> keys) throws SQLException {
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
    private static Map<ByteBuffer, Result> read(ResultSet rows, List<NewKey> keys) throws SQLException {
        Map<ByteBuffer, NewKey> asked = new HashMap<>();
        for (NewKey key : keys) asked.put(digest(key), key);
        Map<ByteBuffer, Result> found = new HashMap<>();
        Instant now = null;
        while (rows.next()) {
            if (now == null) now = KeyRows.instant(rows, "now");
            ByteBuffer id = ByteBuffer.wrap(rows.getBytes("id"));
            NewKey key = asked.get(id);
            if (key == null) throw new IllegalStateException("A row came back that was not asked for.");
            found.put(
                    id,
                    rows.getBoolean("fresh") ? new Result.Known(new Inserted.Fresh(key.at(now))) : existing(rows, now));
        }
        return found;
    }

    private static Result existing(ResultSet row, Instant now) throws SQLException {
        try {
            return new Result.Known(new Inserted.Existing(new Seen(KeyRows.record(row), now)));
        } catch (StoreException e) {
            return new Result.Unreadable(e);
        }
    }
}
