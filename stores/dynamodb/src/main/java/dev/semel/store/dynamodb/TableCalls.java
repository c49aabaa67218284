package dev.semel.store.dynamodb;

import dev.semel.core.store.StoreException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
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
    private final HangDetector hangs = new HangDetector();

    TableCalls(DynamoDbClient client, String table) {
        this.client = client;
        this.table = table;
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
    Obstacle put(
            Map<String, AttributeValue> item, String condition, Map<String, AttributeValue> values) {
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
        long began = hangs.begin();
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

    /**
     * The SDK has sent this write more than once, as a client of the caller's own may: then the condition may have failed
     * because of the first time, whose answer was lost.
     */
    private static boolean wasSentBefore(SdkException failure) {
        return failure.numAttempts() != null && failure.numAttempts() > 1;
    }

    private static StoreException sentTwice(SdkException failure) {
        return StoreException.unknown(
                "The SDK has sent a write " + failure.numAttempts() + " times, and any of these may have been written.",
                failure);
    }

    <T> T read(Function<DynamoDbClient, T> call) {
        long began = hangs.begin();
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
        return failure instanceof SdkException it ? it : AbortedException.create(failure.getMessage(), failure);
    }
}
