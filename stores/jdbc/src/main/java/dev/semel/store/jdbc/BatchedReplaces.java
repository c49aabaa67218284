package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
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

/** Replaces the records of concurrent callers in batches. */
final class BatchedReplaces {
    private record Replace(KeyRecord seen, Change change, StateColumns next) implements WriteBatcher.Write {
        @Override
        public KeyId id() {
            return seen.id();
        }

        @Override
        public long bytes() {
            return next.outcome() == null ? 0 : next.outcome().encoded().length;
        }
    }

    private final StatementExecutor statements;
    private final WriteBatcher<Replace, Optional<KeyRecord>> batcher;

    BatchedReplaces(StatementExecutor statements, int maxConcurrentBatches, Duration queueTimeout) {
        this.statements = statements;
        this.batcher = new WriteBatcher<>(this::write, WriteBatcher.MAX_WRITES, maxConcurrentBatches, queueTimeout);
    }

    void onBatch(IntConsumer size) {
        batcher.onBatch(size);
    }

    /** Empty when the record has changed since it was seen. */
    Optional<KeyRecord> replace(KeyRecord seen, Change change) {
        Change stored = StateColumns.asStored(change);
        return batcher.submit(new Replace(seen, stored, StateColumns.of(stored)));
    }

    private List<Optional<KeyRecord>> write(List<Replace> batch) {
        Map<ByteBuffer, Instant> swapped =
                statements.write(PostgresSql.REPLACE, parameters -> fill(parameters, batch), BatchedReplaces::read);
        return batch.stream()
                .map(replace -> Optional.ofNullable(
                                swapped.get(ByteBuffer.wrap(replace.id().digest())))
                        .map(now -> replace.change.after(replace.seen, now)))
                .toList();
    }

    private static void fill(Parameters parameters, List<Replace> batch) throws SQLException {
        parameters
                .bytes(batch, replace -> replace.id().digest())
                .numbers(batch, replace -> replace.seen.revision())
                .bytes(batch, replace -> replace.change.fingerprint().bytes())
                .numbers(batch, replace -> replace.change.token())
                .integers(batch, replace -> replace.change.attempt());
        StateColumns.fill(parameters, batch.stream().map(Replace::next).toList());
    }

    private static Map<ByteBuffer, Instant> read(ResultSet rows) throws SQLException {
        Map<ByteBuffer, Instant> swapped = new HashMap<>();
        Instant now = null;
        while (rows.next()) {
            if (now == null) now = KeyRows.instant(rows, "now");
            swapped.put(ByteBuffer.wrap(rows.getBytes("id")), now);
        }
        return swapped;
    }
}
