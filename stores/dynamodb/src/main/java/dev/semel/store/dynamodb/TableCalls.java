package dev.semel.store.dynamodb;

import dev.semel.core.store.StoreException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Makes calls, each one round trip, and says what their failures mean. */
final class TableCalls {
    private final DynamoDbClient client;
    private final String table;
    private final boolean mayResend;
    private final HangDetector hangs = new HangDetector();
    private volatile boolean closed;

    /** @param mayResend whether the client may send a write again whose answer is lost */
    TableCalls(DynamoDbClient client, String table, boolean mayResend) {
        this.client = client;
        this.table = table;
        this.mayResend = mayResend;
    }

    /** From now on nothing is sent. */
    void close() {
        closed = true;
    }

    String table() {
        return table;
    }

    /** What stood in the way of a conditional write; without an item when nothing was there. */
    record Obstacle(Map<String, AttributeValue> item) {
        boolean isNothing() {
            return item.isEmpty();
        }
    }

    /**
     * Writes an item if the condition holds for what is there.
     *
     * @return null when it was written
     */
    @Nullable
    Obstacle put(Map<String, AttributeValue> item, String condition, Map<String, AttributeValue> values) {
        PutItemRequest.Builder request = PutItemRequest.builder()
                .tableName(table)
                .item(item)
                .conditionExpression(condition)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        if (!values.isEmpty()) request.expressionAttributeValues(values);
        return write(to -> {
            to.putItem(request.build());
            return null;
        });
    }

    /** @return what stood in the way; null when it was written */
    @Nullable
    Obstacle write(Function<DynamoDbClient, @Nullable Void> call) {
        long began = begin();
        try {
            call.apply(client);
            hangs.answered();
            return null;
        } catch (ConditionalCheckFailedException e) {
            hangs.answered();
            if (wasSentBefore(e)) throw sentTwice(e);
            return new Obstacle(e.hasItem() ? e.item() : Map.of());
        } catch (SdkException | NoCredentialsException e) {
            SdkException failure = asSdkException(e);
            if (DynamoDbFailures.isTimeout(failure)) hangs.timedOut(began);
            throw DynamoDbFailures.ofWrite(failure);
        }
    }

    private long begin() {
        if (closed) throw StoreException.notApplied("The store is closed; nothing was sent.", null);
        return hangs.begin();
    }

    /**
     * Whether the condition may have failed because this very write was sent before, and its answer was lost.
     */
    private boolean wasSentBefore(SdkException failure) {
        return mayResend && failure.numAttempts() != null && failure.numAttempts() > 1;
    }

    private static StoreException sentTwice(SdkException failure) {
        return StoreException.unknown(
                "The SDK has sent a write " + failure.numAttempts() + " times, and any of these may have been written.",
                failure);
    }

    <T> T read(Function<DynamoDbClient, T> call) {
        long began = begin();
        try {
            T answer = call.apply(client);
            hangs.answered();
            return answer;
        } catch (SdkException | NoCredentialsException e) {
            SdkException failure = asSdkException(e);
            if (DynamoDbFailures.isTimeout(failure)) hangs.timedOut(began);
            throw DynamoDbFailures.ofRead(failure);
        }
    }

    private static SdkException asSdkException(RuntimeException failure) {
        return failure instanceof SdkException it ? it : SdkException.create(failure.getMessage(), failure);
    }
}
