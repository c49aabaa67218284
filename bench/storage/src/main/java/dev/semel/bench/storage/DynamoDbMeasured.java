package dev.semel.bench.storage;

import dev.semel.core.store.KeyStore;
import dev.semel.store.dynamodb.DynamoDbKeyStore;
import dev.semel.testkit.dynamodb.DynamoDbServer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB Local: the sizes of items as the server counts them, which are those that writes are billed by. */
final class DynamoDbMeasured implements MeasuredStore {
    private static final String REGION = "eu-central-1";

    /** Items of a kind are of about one size, and the server counts each byte: few will do. */
    private static final int ENOUGH = 1000;

    private final DynamoDbServer server;
    private int opened;
    private @Nullable KeyStore open;

    DynamoDbMeasured(Path folder) {
        this.server = DynamoDbServer.startInMemory(folder.resolve("dynamodb"));
        // It takes any credentials, but wants some.
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
    }

    @Override
    public int enough(int keys) {
        return Math.min(keys, ENOUGH);
    }

    @Override
    public KeyStore openEmpty() {
        if (open != null) open.close();
        opened++;
        open = DynamoDbKeyStore.open("dynamodb://" + REGION + "/" + table()
                + "?create=true&skew=1ms&sweep=1000000&endpoint=" + server.endpoint());
        return open;
    }

    private String table() {
        return "semel-" + opened;
    }

    @Override
    public long bytes() {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .region(Region.of(REGION))
                .endpointOverride(server.endpoint())
                .build()) {
            return client.describeTable(request -> request.tableName(table()))
                    .table()
                    .tableSizeBytes();
        }
    }

    @Override
    public String how() {
        return "DynamoDB Local 3.3.1, sizes of items as writes are billed by them; storage is billed with 100 bytes"
                + " more an item";
    }

    @Override
    public void close() {
        if (open != null) open.close();
        server.close();
    }
}
