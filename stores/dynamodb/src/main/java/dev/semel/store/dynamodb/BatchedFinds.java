package dev.semel.store.dynamodb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Many records in one look: a hundred a round trip. DynamoDB gives as much as 16 MB at a time, and less when it throttles; the
 * rest is asked for again, with a pause when nothing came.
 */
final class BatchedFinds {
    private static final int MAX_KEYS = 100;
    private static final Duration LONGEST = Duration.ofSeconds(4);
    private static final long FIRST_PAUSE_NANOS = 20_000_000;

    private final TableCalls calls;
    private final Clock clock;

    BatchedFinds(TableCalls calls, Clock clock) {
        this.calls = calls;
        this.clock = clock;
    }

    /** Leaves out records that cannot be read: they are the trouble of whoever asks for them alone. */
    List<Seen> find(Collection<KeyId> ids) {
        Set<KeyId> asked = new HashSet<>(ids);
        List<KeyId> distinct = List.copyOf(asked);
        List<Seen> found = new ArrayList<>(distinct.size());
        for (int from = 0; from < distinct.size(); from += MAX_KEYS)
            find(distinct.subList(from, Math.min(from + MAX_KEYS, distinct.size())), asked, found);
        return found;
    }

    private void find(List<KeyId> batch, Set<KeyId> asked, List<Seen> found) {
        List<Map<String, AttributeValue>> left =
                batch.stream().map(ItemWriter::address).toList();
        long deadline = System.nanoTime() + LONGEST.toNanos();
        long pause = FIRST_PAUSE_NANOS;
        while (!left.isEmpty()) {
            BatchGetItemResponse answer = ask(left);
            for (Map<String, AttributeValue> item : answer.responses().getOrDefault(calls.table(), List.of()))
                add(item, asked, found);
            List<Map<String, AttributeValue>> unprocessed = unprocessed(answer);
            if (unprocessed.size() == left.size()) {
                if (System.nanoTime() + pause - deadline > 0)
                    throw StoreException.notApplied("DynamoDB throttles this table; a look is not complete.", null);
                LockSupport.parkNanos(pause);
                pause *= 2;
            }
            left = unprocessed;
        }
    }

    private BatchGetItemResponse ask(List<Map<String, AttributeValue>> keys) {
        KeysAndAttributes wanted =
                KeysAndAttributes.builder().keys(keys).consistentRead(true).build();
        return calls.read(
                client -> client.batchGetItem(request -> request.requestItems(Map.of(calls.table(), wanted))));
    }

    private List<Map<String, AttributeValue>> unprocessed(BatchGetItemResponse answer) {
        KeysAndAttributes rest = answer.unprocessedKeys().get(calls.table());
        return rest == null ? List.of() : rest.keys();
    }

    private void add(Map<String, AttributeValue> item, Set<KeyId> asked, List<Seen> found) {
        KeyRecord record;
        try {
            record = ItemReader.record(item);
        } catch (StoreException e) {
            return;
        }
        if (!asked.contains(record.id()))
            throw new IllegalStateException("Two keys have the same digest: an item is not of the key it stands for.");
        found.add(new Seen(record, clock.instant()));
    }
}
