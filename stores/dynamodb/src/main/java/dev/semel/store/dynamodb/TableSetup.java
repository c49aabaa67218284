package dev.semel.store.dynamodb;

import dev.semel.core.store.StoreException;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Finds the table, or makes it. */
final class TableSetup {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(3);

    private final DynamoDbClient client;
    private final String table;
    private final DynamoDbOptions options;

    private TableSetup(DynamoDbClient client, String table, DynamoDbOptions options) {
        this.client = client;
        this.table = table;
        this.options = options;
    }

    /**
     * @throws StoreException when DynamoDB cannot be reached or does not allow it
     * @throws IllegalStateException when there is no such table, or it cannot be used
     */
    static TableCheck run(DynamoDbClient client, String table, DynamoDbOptions options) {
        try {
            TableSetup setup = new TableSetup(client, table, options);
            TableDescription found = setup.foundOrMade();
            return TableCheck.of(found, setup.timeToLive(), options);
        } catch (SdkException e) {
            throw DynamoDbFailures.ofRead(e);
        } catch (NoCredentialsException e) {
            throw DynamoDbFailures.ofRead(SdkException.create(e.getMessage(), e));
        }
    }

    private TableDescription foundOrMade() {
        try {
            TableDescription found = describe();
            return found.tableStatus() == TableStatus.CREATING ? awaited() : found;
        } catch (ResourceNotFoundException e) {
            if (options.createTable()) return made();
            throw new IllegalStateException(
                    "There is no DynamoDB table '" + table + "' in this region. create=true in the"
                            + " store URL makes it; or make it yourself, with a partition key '" + Attribute.ID
                            + "' of type binary and TTL on the attribute '" + Attribute.TTL + "'.");
        }
    }

    private TableDescription made() {
        try {
            client.createTable(request -> request.tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName(Attribute.ID)
                            .attributeType(ScalarAttributeType.B)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName(Attribute.ID)
                            .keyType(KeyType.HASH)
                            .build()));
        } catch (ResourceInUseException e) {
            // Another process makes it just now.
        }
        TableDescription made = awaited();
        try {
            client.updateTimeToLive(request -> request.tableName(table)
                    .timeToLiveSpecification(
                            ttl -> ttl.attributeName(Attribute.TTL).enabled(true)));
        } catch (DynamoDbException e) {
            boolean anotherDidIt = TableCheck.isOn(timeToLive());
            if (!anotherDidIt) throw e;
        }
        return made;
    }

    private TableDescription awaited() {
        try (DynamoDbWaiter waiter = DynamoDbWaiter.builder()
                .client(client)
                .overrideConfiguration(wait -> wait.waitTimeout(LONGEST_WAIT))
                .build()) {
            waiter.waitUntilTableExists(request -> request.tableName(table));
        }
        return describe();
    }

    private TableDescription describe() {
        return client.describeTable(request -> request.tableName(table)).table();
    }

    private TimeToLiveDescription timeToLive() {
        return client.describeTimeToLive(request -> request.tableName(table)).timeToLiveDescription();
    }
}
