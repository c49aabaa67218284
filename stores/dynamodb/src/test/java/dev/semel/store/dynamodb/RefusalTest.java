package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.store.dynamodb.Wire.Fault;
import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What DynamoDB says no to, and what is never sent: nothing was written, and whoever reads the message knows what to do. */
@ExtendWith(SharedServer.class)
class RefusalTest {
    private final KeyId id = Keys.id("k");
    private final URI server = SharedServer.get().endpoint();
    private Wire wire;
    private String table;
    private DynamoDbKeyStore store;

    @BeforeEach
    void open() throws IOException {
        wire = Wire.to(server);
        table = Tables.withoutTtl(server);
        store = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), Tables.PATIENT);
        wire.sent();
    }

    @AfterEach
    void close() {
        store.close();
        wire.close();
    }

    @ParameterizedTest
    @CsvSource({
        "ProvisionedThroughputExceededException, throttles",
        "ThrottlingException, throttles",
        "RequestLimitExceeded, throttles",
        "AccessDeniedException, do not allow",
        "ExpiredTokenException, have expired",
        "UnrecognizedClientException, does not accept these AWS credentials",
        "ResourceNotFoundException, no such table",
        "ReplicatedWriteConflictException, refused",
        "ValidationException, refused"
    })
    void a_refusal_is_certain_and_says_what_to_do(String code, String says) {
        Fault[] always = new Fault[20];
        Arrays.fill(always, new Fault.Refuse(400, code, "because"));
        wire.next(always);
        StoreException write = assertThrows(StoreException.class, () -> store.insert(Keys.claim(id)));
        assertEquals(Applied.NO, write.applied());
        assertTrue(write.getMessage().contains(says), write.getMessage());
        assertTrue(write.getMessage().contains("Nothing was written."), write.getMessage());
        StoreException read = assertThrows(StoreException.class, () -> store.find(id));
        assertEquals(Applied.NO, read.applied());
        assertFalse(DynamoDbKeyStore.isUnreachable(read));
    }

    @Test
    void what_is_throttled_for_a_moment_is_tried_again_and_a_duplicate_is_still_a_duplicate() {
        Fault throttled = new Fault.Refuse(400, "ThrottlingException", "slow down");
        wire.next(throttled, throttled);
        assertInstanceOf(Inserted.Fresh.class, store.insert(Keys.claim(id)));
        assertEquals(List.of("PutItem", "PutItem", "PutItem"), wire.sent());
        wire.next(throttled);
        assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim(id)));
    }

    /** DynamoDB answers a wrong signature with all that should have been signed. */
    @Test
    void no_session_token_gets_into_a_message_or_a_stack_trace() {
        Fault[] always = new Fault[20];
        Arrays.fill(
                always,
                new Fault.Refuse(400, "InvalidSignatureException", "canonical string: x-amz-security-token:SECRET"));
        wire.next(always);
        StoreException refused = assertThrows(StoreException.class, () -> store.insert(Keys.claim(id)));
        StringWriter trace = new StringWriter();
        refused.printStackTrace(new PrintWriter(trace));
        assertFalse(trace.toString().contains("SECRET"), trace.toString());
        assertTrue(refused.getMessage().contains("credentials"), refused.getMessage());
    }

    @Test
    void a_server_that_is_not_there_was_sent_nothing() throws Exception {
        URI nobody = URI.create("http://127.0.0.1:" + FreePort.pick());
        StoreException refused = assertThrows(
                StoreException.class, () -> DynamoDbKeyStore.open(Tables.url(nobody, table), Tables.PATIENT));
        assertEquals(Applied.NO, refused.applied());
        assertTrue(DynamoDbKeyStore.isUnreachable(refused), refused.getMessage());
        assertTrue(refused.getMessage().contains("cannot be reached"), refused.getMessage());
    }

    @Test
    void whoever_finds_all_connections_busy_has_sent_nothing() throws Exception {
        DynamoDbOptions narrow = Tables.PATIENT
                .withConnections(1)
                .withTimeouts(Duration.ofMillis(200), Duration.ofSeconds(20), Duration.ofSeconds(30));
        try (DynamoDbKeyStore busy = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), narrow);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            wire.next(new Fault.Keep());
            Future<?> kept = callers.submit(() -> busy.insert(Keys.claim(id)));
            wire.awaitKept();
            StoreException refused =
                    assertThrows(StoreException.class, () -> busy.insert(Keys.claim(Keys.id("another"))));
            assertEquals(Applied.NO, refused.applied(), refused.getMessage());
            wire.close();
            assertThrows(Exception.class, kept::get);
        }
    }

    @Test
    void without_credentials_nothing_is_sent() {
        DynamoDbUrl url = DynamoDbUrl.parse(Tables.url(wire.endpoint(), table), Tables.PATIENT);
        try (DynamoDbClient client = DynamoDbClients.open(url, () -> {
            throw SdkClientException.create("Unable to load credentials from any of the providers");
        })) {
            TableCalls calls = new TableCalls(client, table, false);
            StoreException refused = assertThrows(
                    StoreException.class,
                    () -> calls.put(
                            ItemWriter.item(Keys.claim(id).at(store.now())), "attribute_not_exists(id)", Map.of()));
            assertEquals(Applied.NO, refused.applied());
            assertTrue(refused.getMessage().contains("AWS_ACCESS_KEY_ID"), refused.getMessage());
            assertFalse(DynamoDbKeyStore.isUnreachable(refused));
        }
        assertEquals(List.of(), wire.sent());
    }

    /** DynamoDB Local looks at the form of an access key, and at nothing else. */
    @Test
    void wrong_credentials_are_told_from_a_server_that_is_away() {
        DynamoDbUrl url = DynamoDbUrl.parse(Tables.url(server, table), Tables.PATIENT);
        StaticCredentialsProvider wrong =
                StaticCredentialsProvider.create(AwsBasicCredentials.create("not-a-key!", "SECRET"));
        try (DynamoDbClient client = DynamoDbClients.open(url, wrong)) {
            StoreException refused =
                    assertThrows(StoreException.class, () -> TableSetup.run(client, table, Tables.PATIENT));
            assertTrue(refused.getMessage().contains("credentials"), refused.getMessage());
            assertFalse(refused.getMessage().contains("SECRET"), refused.getMessage());
            assertFalse(DynamoDbKeyStore.isUnreachable(refused));
        }
    }

    @Test
    void a_table_that_was_deleted_meanwhile_is_named_as_the_reason() {
        try (DynamoDbClient raw = Tables.client(server)) {
            raw.deleteTable(request -> request.tableName(table));
        }
        StoreException refused = assertThrows(StoreException.class, () -> store.insert(Keys.claim(id)));
        assertEquals(Applied.NO, refused.applied());
        assertTrue(refused.getMessage().contains("no such table"), refused.getMessage());
    }

    @Test
    void a_closed_store_sends_nothing() {
        store.close();
        wire.sent();
        StoreException refused = assertThrows(StoreException.class, () -> store.insert(Keys.claim(id)));
        assertEquals(Applied.NO, refused.applied());
        assertEquals(List.of(), wire.sent());
        assertNull(refused.getCause());
    }
}
