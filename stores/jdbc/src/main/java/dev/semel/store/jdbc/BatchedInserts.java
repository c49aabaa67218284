package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.StoreException;
import dev.semel.store.jdbc.Dialect.InsertResult;
import java.nio.ByteBuffer;
import java.time.Duration;
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

    private final Dialect dialect;
    private final WriteBatcher<Insert, Optional<InsertResult>> batcher;

    BatchedInserts(Dialect dialect, int maxConcurrentBatches, Duration queueTimeout) {
        this.dialect = dialect;
        this.batcher = new WriteBatcher<>(
                this::write, dialect.mostInserts(), maxConcurrentBatches, queueTimeout, dialect.failures()::wasRefused);
    }

    void onBatch(IntConsumer size) {
        batcher.onBatch(size);
    }

    /** Empty when the insert met another that is not to be seen yet, or a key that is joined. */
    Optional<Inserted> insert(NewKey key) {
        Insert insert = new Insert(key.withLease(Micros.roundedUp(key.lease())));
        Optional<InsertResult> result =
                dialect.isJoined(key.id()) ? write(List.of(insert)).getFirst() : batcher.submit(insert);
        return result.map(it -> inserted(it, key));
    }

    private static Inserted inserted(InsertResult result, NewKey key) {
        switch (result) {
            case InsertResult.Unreadable(StoreException why) ->
                throw StoreException.notApplied(String.valueOf(why.getMessage()), why);
            case InsertResult.Known(Inserted inserted) -> {
                if (inserted instanceof Inserted.Existing it) KeyRows.check(it.seen(), key.id());
                return inserted;
            }
        }
    }

    private List<Optional<InsertResult>> write(List<Insert> batch) {
        Map<ByteBuffer, InsertResult> rows =
                dialect.insert(batch.stream().map(Insert::key).toList());
        return batch.stream()
                .map(insert ->
                        Optional.ofNullable(rows.get(ByteBuffer.wrap(insert.id().digest()))))
                .toList();
    }
}
