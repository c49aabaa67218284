package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.Codec;
import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.store.dynamodb.Wire.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The server does a write, and the connection breaks before the answer is there. */
@ExtendWith(SharedServer.class)
class LostAnswerTest {
    private final KeyId id = Keys.id("k");
    private Wire wire;
    private String table;
    private DynamoDbKeyStore store;

    @BeforeEach
    void open() throws IOException {
        wire = Wire.to(SharedServer.get().endpoint());
        table = Tables.withoutTtl(SharedServer.get().endpoint());
        store = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), Tables.PATIENT);
        wire.sent();
    }

    @AfterEach
    void close() {
        store.close();
        wire.close();
    }

    @Test
    void an_insert_whose_answer_is_lost_is_unknown_and_was_sent_once() {
        wire.next(new Fault.LoseAnswer());
        assertEquals(Applied.UNKNOWN, failure(() -> store.insert(Keys.claim(id))));
        assertEquals(List.of("PutItem"), wire.sent());
        assertNotNull(store.find(id));
    }

    @Test
    void a_replace_whose_answer_is_lost_is_unknown_and_was_sent_once() {
        KeyRecord held = Keys.insert(store, id);
        wire.sent();
        wire.next(new Fault.LoseAnswer());
        assertEquals(Applied.UNKNOWN, failure(() -> Keys.replace(store, held, Keys.done("x"))));
        assertEquals(List.of("PutItem"), wire.sent());
        assertInstanceOf(KeyState.Done.class, store.find(id).record().state());
    }

    @Test
    void a_write_that_never_arrived_is_unknown_too_for_nobody_can_tell() {
        wire.next(new Fault.LoseRequest());
        assertEquals(Applied.UNKNOWN, failure(() -> store.insert(Keys.claim(id))));
        assertEquals(List.of("PutItem"), wire.sent());
        assertNull(store.find(id));
    }

    @Test
    void a_connection_that_the_server_has_closed_meanwhile_costs_no_second_sending() {
        for (int i = 0; i < 5; i++) {
            int before = i;
            store.find(id);
            wire.sent();
            wire.next(new Fault.LoseAnswer());
            failure(() -> store.insert(Keys.claim(Keys.id("again " + before))));
            assertEquals(List.of("PutItem"), wire.sent());
        }
    }

    @Test
    void what_was_5xx_may_have_been_written() {
        wire.next(new Fault.Refuse(500, "InternalServerError", "?"), new Fault.Refuse(503, "ServiceUnavailable", "?"));
        assertEquals(Applied.UNKNOWN, failure(() -> store.insert(Keys.claim(id))));
        assertEquals(Applied.UNKNOWN, failure(() -> store.insert(Keys.claim(id))));
        assertEquals(List.of("PutItem", "PutItem"), wire.sent());
    }

    @Test
    void an_operation_runs_once_whichever_of_its_answers_is_lost() {
        AtomicInteger ran = new AtomicInteger();
        try (Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            for (int i = 0; i < 10; i++) {
                // In turn that of the claim, and that of the outcome.
                if (i % 2 == 0) wire.next(new Fault.LoseAnswer());
                else wire.next(new Fault.None(), new Fault.LoseAnswer());
                String key = "key " + i;
                for (int attempt = 0; attempt < 2; attempt++)
                    assertEquals("ran", semel.operation("charge", Codec.text()).once(key, "asked", it -> {
                        ran.incrementAndGet();
                        return "ran";
                    }));
            }
        }
        assertEquals(10, ran.get());
    }

    /** As the SDK does by default: then the second attempt meets what the first has written. */
    @Test
    void a_client_that_sends_again_by_itself_never_makes_a_write_look_as_if_it_had_lost_a_race() {
        try (DynamoDbClient sendsAgain = Tables.client(wire.endpoint());
                DynamoDbKeyStore other = DynamoDbKeyStore.open(sendsAgain, table, Tables.PATIENT)) {
            wire.next(new Fault.LoseAnswer());
            assertEquals(Applied.UNKNOWN, failure(() -> other.insert(Keys.claim(id))));
            KeyRecord held = store.find(id).record();
            wire.next(new Fault.LoseAnswer());
            assertEquals(Applied.UNKNOWN, failure(() -> other.replace(held, Change.of(held, Keys.done("x")))));
            assertInstanceOf(
                    Inserted.Existing.class, other.insert(Keys.claim(id)), "and knows it when it is asked again");
        }
    }

    private static Applied failure(Executable call) {
        return assertThrows(StoreException.class, call).applied();
    }
}
