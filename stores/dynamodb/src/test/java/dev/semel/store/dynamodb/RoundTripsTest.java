package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.core.Codec;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many requests each call takes, counted where they pass by. */
@ExtendWith(SharedServer.class)
class RoundTripsTest {
    private final KeyId id = Keys.id("k");
    private Wire wire;
    private DynamoDbKeyStore store;

    @BeforeEach
    void open() throws IOException {
        wire = Wire.to(SharedServer.get().endpoint());
        String table = Tables.withoutTtl(SharedServer.get().endpoint());
        store = DynamoDbKeyStore.open(Tables.url(wire.endpoint(), table), Tables.PATIENT);
        wire.sent();
    }

    @AfterEach
    void close() {
        store.close();
        wire.close();
    }

    @Test
    void a_fresh_operation_takes_two_and_a_replay_one() {
        try (Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            Operation<String> operation = semel.operation("charge", Codec.text());
            wire.sent();
            assertEquals("ran", operation.once("k", "asked", attempt -> "ran"));
            assertEquals(List.of("PutItem", "PutItem"), wire.sent());
            assertEquals("ran", operation.once("k", "asked", attempt -> "ran again"));
            assertEquals(List.of("PutItem"), wire.sent());
        }
    }

    @Test
    void every_call_of_the_store_takes_one_also_when_it_loses() {
        KeyRecord held = Keys.insert(store, id);
        assertEquals(List.of("PutItem"), wire.sent());
        Keys.replace(store, held, Keys.done("first"));
        assertEquals(List.of("PutItem"), wire.sent());
        assertInstanceOf(Replaced.Moved.class, store.replace(held, Change.of(held, Keys.done("second"))));
        assertEquals(List.of("PutItem"), wire.sent());
        assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim(id)));
        assertEquals(List.of("PutItem"), wire.sent());
        store.find(id);
        store.findAll(List.of(id));
        assertEquals(List.of("GetItem", "GetItem"), wire.sent());
    }

    @Test
    void a_hundred_keys_are_found_in_one() {
        List<KeyId> ids = new ArrayList<>();
        for (int i = 0; i < 250; i++) ids.add(Keys.id("many " + i % 240));
        store.findAll(ids);
        assertEquals(List.of("BatchGetItem", "BatchGetItem", "BatchGetItem"), wire.sent());
        store.findAll(List.of());
        assertEquals(List.of(), wire.sent());
    }
}
