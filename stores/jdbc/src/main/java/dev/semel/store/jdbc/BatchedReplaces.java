package dev.semel.store.jdbc;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Replaces the records of concurrent callers in batches. */
final class BatchedReplaces {
    private final Dialect dialect;
    private final WriteBatcher<Replace, Optional<KeyRecord>> batcher;

    BatchedReplaces(Dialect dialect, int maxConcurrentBatches, Duration queueTimeout) {
        this.dialect = dialect;
        this.batcher = new WriteBatcher<>(
                this::write,
                WriteBatcher.MAX_WRITES,
                maxConcurrentBatches,
                queueTimeout,
                dialect.failures()::wasRefused);
    }

    void onBatch(IntConsumer size) {
        batcher.onBatch(size);
    }

    /** Empty when the record has changed since it was seen. */
    Optional<KeyRecord> replace(KeyRecord seen, Change change) {
        return batcher.submit(Replace.of(seen, change));
    }

    private List<Optional<KeyRecord>> write(List<Replace> batch) {
        Map<ByteBuffer, Instant> swapped = dialect.replace(batch);
        return batch.stream()
                .map(replace -> Optional.ofNullable(
                                swapped.get(ByteBuffer.wrap(replace.id().digest())))
                        .map(now -> replace.change().after(replace.seen(), now)))
                .toList();
    }
}
