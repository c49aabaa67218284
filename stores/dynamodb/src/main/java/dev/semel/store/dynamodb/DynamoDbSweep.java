package dev.semel.store.dynamodb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.StoreTraits.Forgetting;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Walks the table by Scan, as slowly as its {@link CapacityBudget} says, for every page is paid for. It needs no index: one
 * of open keys would cost every request two more writes. Where it stands is kept in memory only, and a walk of a large table
 * takes longer than a process may live; so the table is walked in segments, beginning with any of them.
 *
 * <p>What is forgotten is left to the server where it deletes by itself, which costs nothing.
 */
final class DynamoDbSweep {
    private static final long BYTES_PER_SEGMENT = 256L << 20;
    private static final int MAX_SEGMENTS = 1000;
    private static final int MAX_PER_STEP = 1000;

    private static final String STRIP = "set #state = :spent remove #outcome, #replay, #memo";
    private static final String STILL_DONE = "#rev = :rev and #state = :done";

    private final TableCalls calls;
    private final Clock clock;
    private final CapacityBudget budget;
    private final boolean strips;
    private final boolean removes;
    private final int segments;
    private final ReentrantLock walking = new ReentrantLock();
    private int segment;
    private int segmentsLeft;
    private @Nullable Map<String, AttributeValue> after;

    DynamoDbSweep(TableCalls calls, Clock clock, TableCheck table, DynamoDbOptions options) {
        this.calls = calls;
        this.clock = clock;
        this.budget = new CapacityBudget(options.sweepUnits(), System::nanoTime);
        this.strips = options.strip();
        this.removes = table.forgetting() == Forgetting.SWEEP;
        this.segments = (int) Math.min(MAX_SEGMENTS, 1 + table.bytes() / BYTES_PER_SEGMENT);
        this.segment = ThreadLocalRandom.current().nextInt(segments);
        this.segmentsLeft = segments;
    }

    /** What one step has done so far. */
    private static final class Step {
        private final Instant now;
        private final List<KeyId> due = new ArrayList<>();
        private final List<String> unreadable = new ArrayList<>();
        private long looked;
        private long removed;
        private long stripped;
        private long inDoubt;

        Step(Instant now) {
            this.now = now;
        }

        Swept swept(boolean finished) {
            return new Swept(looked, removed, stripped, finished, due, unreadable, inDoubt);
        }
    }

    /** Does nothing while the budget is used up. */
    Swept step(int limit, boolean isOff) {
        walking.lock();
        try {
            Step step = new Step(clock.instant());
            if (isOff) return step.swept(true);
            if (!budget.isOpen()) return step.swept(false);
            ScanResponse page = page(Math.min(limit, MAX_PER_STEP));
            used(page.consumedCapacity());
            for (Map<String, AttributeValue> item : page.items()) look(item, step);
            return step.swept(moveOn(page));
        } finally {
            walking.unlock();
        }
    }

    /** Half the price of a consistent read: what is done with an item is done on condition, or after another look. */
    private ScanResponse page(int limit) {
        return calls.read(client -> client.scan(request -> {
            request.tableName(calls.table())
                    .limit(limit)
                    .segment(segment)
                    .totalSegments(segments)
                    .projectionExpression(Attribute.projectionWithoutOutcome())
                    .expressionAttributeNames(Attribute.namesWithoutOutcome())
                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
            if (after != null) request.exclusiveStartKey(after);
        }));
    }

    private void used(@Nullable ConsumedCapacity capacity) {
        if (capacity != null && capacity.capacityUnits() != null) budget.use(capacity.capacityUnits());
    }

    private void look(Map<String, AttributeValue> item, Step step) {
        step.looked++;
        KeyRecord record;
        try {
            record = ItemReader.head(item);
        } catch (RuntimeException e) {
            step.unreadable.add(ItemReader.digest(item));
            return;
        }
        if (record.state() instanceof KeyState.InDoubt) step.inDoubt++;
        if (record.isDue(step.now)) step.due.add(record.id());
        KeyRecord left = record.asOf(step.now);
        if (left == null) {
            if (removes && remove(record)) step.removed++;
        } else if (record.state() instanceof KeyState.Done && left.state() instanceof KeyState.Spent) {
            if (strips && strip(record)) step.stripped++;
        }
    }

    /** Only in the very version that was judged. */
    private boolean remove(KeyRecord forgotten) {
        TableCalls.Obstacle obstacle = calls.write(client -> {
            used(client.deleteItem(request -> request.tableName(calls.table())
                            .key(ItemWriter.address(forgotten.id()))
                            .conditionExpression("#rev = :rev")
                            .expressionAttributeNames(Map.of("#rev", Attribute.REVISION))
                            .expressionAttributeValues(Map.of(":rev", revision(forgotten)))
                            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                    .consumedCapacity());
            return null;
        });
        return obstacle == null;
    }

    /** The revision stays: to callers nothing has changed. */
    private boolean strip(KeyRecord done) {
        TableCalls.Obstacle obstacle = calls.write(client -> {
            used(client.updateItem(request -> request.tableName(calls.table())
                            .key(ItemWriter.address(done.id()))
                            .updateExpression(STRIP)
                            .conditionExpression(STILL_DONE)
                            .expressionAttributeNames(Map.of(
                                    "#state", Attribute.STATE,
                                    "#outcome", Attribute.OUTCOME,
                                    "#replay", Attribute.REPLAY,
                                    "#memo", Attribute.MEMO,
                                    "#rev", Attribute.REVISION))
                            .expressionAttributeValues(Map.of(
                                    ":rev", revision(done),
                                    ":done", AttributeValue.fromS(StateName.DONE),
                                    ":spent", AttributeValue.fromS(StateName.SPENT)))
                            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                    .consumedCapacity());
            return null;
        });
        return obstacle == null;
    }

    private static AttributeValue revision(KeyRecord record) {
        return AttributeValue.fromN(Long.toString(record.revision()));
    }

    /** Whether that was the end of all segments. */
    private boolean moveOn(ScanResponse page) {
        after = page.hasLastEvaluatedKey() && !page.lastEvaluatedKey().isEmpty() ? page.lastEvaluatedKey() : null;
        if (after != null) return false;
        segment = (segment + 1) % segments;
        segmentsLeft--;
        if (segmentsLeft > 0) return false;
        segmentsLeft = segments;
        return true;
    }
}
