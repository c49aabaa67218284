package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.store.Change;
import dev.semel.testkit.HandClock;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * What an operation with an outcome of 1 KB costs, as the server counts it and as DynamoDB's rules for item sizes say. The
 * figures stand in docs/stores/dynamodb.md and are written to {@code target/cost.txt}.
 */
@ExtendWith(SharedServer.class)
class CostTest {
    /** As the gateway has it: a route, a UUID as key, a tenant, and an answer with a few headers. */
    private static final KeyId ID = KeyId.of("acme", "POST /v1/charges", "0b9d7a52-6a3e-4c58-9d0f-2f3c7f1f5e7a");

    private final URI server = SharedServer.get().endpoint();
    private final HandClock clock = new HandClock(Instant.parse("2026-03-04T05:06:07.123456Z"));
    private final Map<String, Object> figures = new TreeMap<>();

    @Test
    void the_figures_in_the_docs_are_what_the_server_counts() throws Exception {
        String table = Tables.withoutTtl(server);
        try (DynamoDbKeyStore store = DynamoDbKeyStore.open(Tables.url(server, table), Tables.PATIENT, clock);
                DynamoDbClient raw = Tables.client(server)) {
            KeyRecord held = Keys.claim(ID, Memo.NONE).at(clock.instant());
            figures.put("1 claim, bytes", bytes(ItemWriter.item(held)));
            figures.put("1 claim, write units", put(raw, table, held));
            byte[] outcome = new byte[1023];
            new Random(1).nextBytes(outcome);
            clock.advance(Duration.ofMillis(20));
            KeyRecord done = Change.of(held, Keys.done(outcome)).after(held, clock.instant());
            figures.put("2 outcome, bytes", bytes(ItemWriter.item(done)));
            figures.put("2 outcome, write units", put(raw, table, done));
            figures.put(
                    "2 outcome, bytes in the table",
                    raw.describeTable(request -> request.tableName(table))
                            .table()
                            .tableSizeBytes());
            figures.put(
                    "3 look, read units",
                    raw.getItem(request -> request.tableName(table)
                                    .key(ItemWriter.address(ID))
                                    .consistentRead(true)
                                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                            .consumedCapacity()
                            .capacityUnits());
            clock.advance(Keys.HOUR);
            assertEquals(1, store.sweep(10).stripped());
            Map<String, AttributeValue> tombstone = raw.getItem(
                            request -> request.tableName(table).key(ItemWriter.address(ID)))
                    .item();
            figures.put("4 tombstone, bytes", bytes(tombstone));
        }
        Files.writeString(Path.of("target", "cost.txt"), figures + "\n");
        assertEquals(
                "{1 claim, bytes=244, 1 claim, write units=1.0, 2 outcome, bytes=1251, 2 outcome, bytes in the"
                        + " table=1251, 2 outcome, write units=2.0, 3 look, read units=1.0, 4 tombstone, bytes=206}",
                figures.toString());
    }

    private static double put(DynamoDbClient raw, String table, KeyRecord record) {
        PutItemRequest request = PutItemRequest.builder()
                .tableName(table)
                .item(ItemWriter.item(record))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        return raw.putItem(request).consumedCapacity().capacityUnits();
    }

    /** A name and a text as long as their UTF-8, bytes as they are, a number half a byte a digit and one more. */
    private static int bytes(Map<String, AttributeValue> item) {
        int bytes = 0;
        for (Map.Entry<String, AttributeValue> each : item.entrySet()) {
            AttributeValue value = each.getValue();
            bytes += each.getKey().length();
            bytes += switch (value.type()) {
                case S -> value.s().getBytes(StandardCharsets.UTF_8).length;
                case B -> value.b().asByteArrayUnsafe().length;
                case N -> (significant(value.n()) + 1) / 2 + 1;
                default -> 1;
            };
        }
        return bytes;
    }

    private static int significant(String number) {
        return new BigDecimal(number).stripTrailingZeros().precision();
    }
}
