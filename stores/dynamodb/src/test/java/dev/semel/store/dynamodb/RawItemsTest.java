package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import dev.semel.testkit.HandClock;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is in the table, read by someone who knows the format from the documentation alone. */
@ExtendWith(SharedServer.class)
class RawItemsTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");

    private final URI server = SharedServer.get().endpoint();
    private final HandClock clock = new HandClock(NOW);
    private String table;
    private DynamoDbKeyStore store;
    private DynamoDbClient raw;

    @BeforeEach
    void open() {
        table = Tables.withoutTtl(server);
        store = DynamoDbKeyStore.open(Tables.url(server, table), Tables.PATIENT, clock);
        raw = Tables.client(server);
    }

    @AfterEach
    void close() {
        store.close();
        raw.close();
    }

    private static SdkBytes digest(KeyId id) throws Exception {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        for (String part : new String[] {id.tenant(), id.operation(), id.key()}) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            sha.update(ByteBuffer.allocate(4).putInt(bytes.length).flip());
            sha.update(bytes);
        }
        return SdkBytes.fromByteArray(Arrays.copyOf(sha.digest(), 16));
    }

    private Map<String, AttributeValue> item(KeyId id) throws Exception {
        AttributeValue address = AttributeValue.fromB(digest(id));
        return raw.getItem(request -> request.tableName(table).key(Map.of("id", address)))
                .item();
    }

    private static Instant time(AttributeValue seconds) {
        BigDecimal exact = new BigDecimal(seconds.n());
        return Instant.ofEpochSecond(0).plusNanos(exact.movePointRight(9).longValueExact());
    }

    @Test
    void a_claim_is_one_item_that_the_server_never_deletes() throws Exception {
        KeyRecord held = Keys.insert(store, Keys.id("k"));
        Map<String, AttributeValue> item = item(held.id());
        assertEquals(
                Set.of(
                        "id", "v", "state", "tenant", "op", "key", "fp", "token", "attempt", "rev", "since", "holder",
                        "lease"),
                item.keySet());
        assertEquals("held", item.get("state").s());
        assertEquals("1", item.get("v").n());
        assertEquals("k", item.get("key").s());
        assertEquals(Long.toString(1_772_600_767_123_456L), item.get("token").n());
        assertEquals(item.get("token"), item.get("rev"));
        assertEquals(NOW, time(item.get("since")));
        assertEquals(NOW.plus(Keys.HOUR), time(item.get("lease")));
        Keys.replace(store, held, new Next.InDoubt("?"));
        assertFalse(item(held.id()).containsKey("ttl"), "a doubt must never be forgotten by itself");
    }

    @Test
    void an_outcome_is_an_item_that_the_server_may_delete_an_hour_after_it_is_forgotten() throws Exception {
        KeyRecord held = Keys.insert(store, Keys.id("k"));
        clock.advance(Duration.ofSeconds(5));
        KeyRecord done = Keys.replace(store, held, Keys.done("paid"));
        Map<String, AttributeValue> item = item(held.id());
        assertEquals("done", item.get("state").s());
        assertEquals(Long.toString(held.revision() + 1), item.get("rev").n());
        byte[] outcome = item.get("outcome").b().asByteArray();
        assertArrayEquals("\7paid".getBytes(StandardCharsets.UTF_8), outcome);
        Instant forget = ((KeyState.Done) done.state()).forgetAt();
        assertEquals(forget, time(item.get("forget")));
        Instant ttl = Instant.ofEpochSecond(Long.parseLong(item.get("ttl").n()));
        assertFalse(ttl.isBefore(forget.plus(Duration.ofHours(1))), ttl + " is too early");
        assertTrue(ttl.isBefore(forget.plus(Duration.ofHours(1).plusSeconds(2))), ttl.toString());
        assertFalse(item.containsKey("holder"), "nothing of the claim is left");
    }

    @Test
    void a_tombstone_has_no_body_and_keeps_its_time() throws Exception {
        KeyRecord done = Keys.replace(store, Keys.insert(store, Keys.id("k")), Keys.done("paid"));
        Map<String, AttributeValue> before = item(done.id());
        clock.advance(Keys.HOUR);
        assertEquals(1, store.sweep(100).stripped());
        Map<String, AttributeValue> after = item(done.id());
        Map<String, AttributeValue> expected = new HashMap<>(before);
        expected.keySet().removeAll(Set.of("outcome", "replay"));
        expected.put("state", AttributeValue.fromS("spent"));
        assertEquals(expected, after);
    }

    @Test
    void without_stripping_an_outcome_stays_until_the_item_goes_and_is_not_given_any_more() throws Exception {
        DynamoDbOptions keeping = Tables.PATIENT.withStrip(false);
        try (DynamoDbKeyStore keeps = DynamoDbKeyStore.open(Tables.url(server, table), keeping, clock)) {
            KeyRecord done = Keys.replace(store, Keys.insert(store, Keys.id("k")), Keys.done("paid"));
            clock.advance(Keys.HOUR);
            assertEquals(0, keeps.sweep(100).stripped());
            assertTrue(item(done.id()).containsKey("outcome"));
        }
    }

    @Test
    void an_item_under_the_digest_of_another_key_is_never_given_away() throws Exception {
        Keys.insert(store, Keys.id("mine"));
        Map<String, AttributeValue> item = new HashMap<>(item(Keys.id("mine")));
        item.put("id", AttributeValue.fromB(digest(Keys.id("yours"))));
        raw.putItem(request -> request.tableName(table).item(item));
        assertThrows(IllegalStateException.class, () -> store.insert(Keys.claim(Keys.id("yours"))));
        assertThrows(IllegalStateException.class, () -> store.find(Keys.id("yours")));
        assertThrows(IllegalStateException.class, () -> store.findAll(List.of(Keys.id("yours"), Keys.id("another"))));
    }

    @Test
    void texts_that_are_no_unicode_are_stored_as_what_was_said_to_be_stored() {
        KeyRecord doubt = Keys.replace(
                store, Keys.insert(store, Keys.id("k")), new Next.InDoubt("half \uD83D, NUL \0 and é".repeat(3)));
        assertEquals(doubt, store.find(doubt.id()).record());
    }

    @Test
    void instants_far_away_are_kept_to_the_nanosecond() {
        KeyRecord held = Keys.insert(store, Keys.id("k"));
        KeyRecord done = Keys.replace(
                store, held, new Next.Free(Duration.ofDays(365L * 10_000).plusNanos(1)));
        assertEquals(done, store.find(done.id()).record());
    }

    static Map<String, AttributeValue> damaged(Map<String, AttributeValue> item, String name, AttributeValue value) {
        Map<String, AttributeValue> damaged = new HashMap<>(item);
        if (value == null) damaged.remove(name);
        else damaged.put(name, value);
        return damaged;
    }

    @Test
    void an_item_that_cannot_be_read_fails_its_own_caller_alone() throws Exception {
        Map<String, AttributeValue> damages = new HashMap<>();
        damages.put("v", AttributeValue.fromN("2"));
        damages.put("fp", AttributeValue.fromS("text"));
        damages.put("token", null);
        damages.put("rev", AttributeValue.fromN("1.5"));
        damages.put("state", AttributeValue.fromS("odd"));
        damages.put("lease", AttributeValue.fromN("1e30"));
        damages.put("op", null);
        for (String name : damages.keySet()) {
            KeyId id = Keys.id("damaged " + name);
            Keys.insert(store, id);
            raw.putItem(request -> {
                try {
                    request.tableName(table).item(damaged(item(id), name, damages.get(name)));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            for (Executable call : new Executable[] {
                () -> store.insert(Keys.claim(id)), () -> store.find(id), () -> store.findAll(List.of(id))
            }) {
                StoreException failed = assertThrows(StoreException.class, call, name);
                assertEquals(StoreException.Applied.NO, failed.applied());
            }
        }
        Keys.insert(store, Keys.id("sound"));
        assertEquals(
                1,
                store.findAll(List.of(Keys.id("sound"), Keys.id("damaged v"), Keys.id("damaged op")))
                        .size());
        clock.advance(Keys.HOUR);
        Swept swept = store.sweep(1000);
        assertEquals(damages.size(), swept.unreadable().size());
        assertEquals(List.of(Keys.id("sound")), swept.due());
        Listing all = new Listing(null, EnumSet.allOf(KeyState.Kind.class), 100, null);
        assertEquals(1, store.list(all).lines().size());
        assertEquals(
                damages.size() + 1,
                raw.scan(request -> request.tableName(table)).count());
    }
}
