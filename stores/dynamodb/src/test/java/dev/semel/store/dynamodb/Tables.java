package dev.semel.store.dynamodb;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Tables on a test server, and what tests say to it without the store. */
final class Tables {
    /** A contract is not about time-outs, nor about the price of a sweep. */
    static final DynamoDbOptions PATIENT = DynamoDbOptions.DEFAULT
            .withSkew(Duration.ZERO)
            .withSweepUnits(Integer.MAX_VALUE)
            .withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(30));

    private Tables() {}

    static String freshName() {
        return "keys-" + UUID.randomUUID();
    }

    static String url(URI endpoint, String table) {
        return "dynamodb://eu-central-1/" + table + "?endpoint=" + endpoint;
    }

    /** A client that shares no code with the store. */
    static DynamoDbClient client(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("raw", "raw")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
    }

    /**
     * A table as someone makes it by hand, without TTL: the server would delete by the real clock what a test's clock says
     * is still remembered.
     */
    static String withoutTtl(URI endpoint) {
        String table = freshName();
        try (DynamoDbClient client = client(endpoint)) {
            create(client, table, ScalarAttributeType.B);
        }
        return table;
    }

    static void create(DynamoDbClient client, String table, ScalarAttributeType typeOfId) {
        client.createTable(request -> request.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(typeOfId)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build()));
    }

    /** A store on an empty table of the shared server. */
    static DynamoDbKeyStore freshStore(Clock clock) {
        URI endpoint = SharedServer.get().endpoint();
        return DynamoDbKeyStore.open(url(endpoint, withoutTtl(endpoint)), PATIENT, clock);
    }
}
