package dev.semel.client.ledger;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every ledger keeps to. */
interface LedgerContract {
    Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    Ledger ledger();

    /** The same ledger as another process would find it after this one ended. */
    Ledger reopened();

    static Call call(String body) {
        return new Call(
                "POST",
                URI.create("http://127.0.0.1/v1/charges?a=%20b"),
                Map.of("Content-Type", List.of("text/plain"), "X-Two", List.of("a: b", "ü")),
                body.getBytes(StandardCharsets.UTF_8));
    }

    static Entry.Pending pending(String intent, String key) {
        return new Entry.Pending(intent, key, call("body of " + intent), NOW, NOW.plusSeconds(60), 1, NOW);
    }

    static Response response(String body) {
        Map<String, List<String>> headers = Map.of("Location", List.of("/c/1"), "Set-Cookie", List.of("secret"));
        return new Response(201, headers, body.getBytes(StandardCharsets.UTF_8), true);
    }

    private static void assertSame(Entry.Pending expected, Entry actual) {
        Entry.Pending it = assertInstanceOf(Entry.Pending.class, actual);
        assertEquals(expected.key(), it.key());
        assertEquals(expected.call().method(), it.call().method());
        assertEquals(expected.call().uri(), it.call().uri());
        assertEquals(expected.call().headers(), it.call().headers());
        assertArrayEquals(expected.call().body(), it.call().body());
        assertEquals(expected.rememberedAt(), it.rememberedAt());
        assertEquals(expected.deadline(), it.deadline());
        assertEquals(expected.attempts(), it.attempts());
        assertEquals(expected.firstSentAt(), it.firstSentAt());
        assertTrue(it.isFor(expected.call()));
    }

    @Test
    default void what_is_remembered_is_there_whole_also_for_the_next_process() {
        Entry.Pending entry = pending("pay \"order\" 17 ü", "k-1");
        assertNull(ledger().remember(entry));
        assertSame(entry, ledger().find(entry.intent()));
        Ledger next = reopened();
        assertSame(entry, next.find(entry.intent()));
        assertEquals(List.of(entry.intent()), next.pending());
        assertNull(next.find("other"));
    }

    @Test
    default void an_intent_has_one_entry() {
        Entry.Pending first = pending("i", "k-1");
        assertNull(ledger().remember(first));
        assertSame(first, ledger().remember(pending("i", "k-2")));
        assertSame(first, ledger().find("i"));
    }

    @Test
    default void one_of_many_threads_writes_the_entry_and_the_others_see_it() throws Exception {
        List<Future<Entry>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                String key = "k-" + i;
                results.add(threads.submit(() -> ledger().remember(pending("i", key))));
            }
        }
        String winner = ledger().find("i").key();
        int wrote = 0;
        for (Future<Entry> result : results) {
            if (result.get() == null) wrote++;
            else assertEquals(winner, result.get().key());
        }
        assertEquals(1, wrote);
    }

    @Test
    default void tries_are_counted_as_long_as_it_is_pending() {
        Entry.Pending entry = pending("i", "k-1");
        ledger().remember(entry);
        assertEquals(2, ledger().attempt(entry, NOW.plusSeconds(1)).attempts());
        Entry.Pending third = ledger().attempt(entry, NOW.plusSeconds(2));
        assertEquals(3, third.attempts());
        assertEquals(NOW, third.firstSentAt());
        assertSame(third, reopened().find("i"));
        assertNull(ledger().attempt(pending("i", "other key"), NOW));
        assertFalse(ledger().settle(entry, response("x"), NOW), "someone else has begun a try");
        assertTrue(ledger().settle(third, response("x"), NOW));
        assertNull(ledger().attempt(entry, NOW));
        assertNull(ledger().attempt(pending("unknown", "k"), NOW));
    }

    @Test
    default void the_first_answer_stays_and_has_no_secrets() {
        Entry.Pending entry = pending("i", "k-1");
        ledger().remember(entry);
        assertFalse(ledger().settle(pending("i", "other key"), response("wrong"), NOW));
        assertInstanceOf(Entry.Pending.class, ledger().find("i"));
        assertTrue(ledger().settle(entry, response("first"), NOW.plusSeconds(5)));
        assertFalse(ledger().settle(entry, response("second"), NOW.plusSeconds(6)));
        for (boolean again : new boolean[] {false, true}) {
            Ledger each = again ? reopened() : ledger();
            Entry.Settled settled = assertInstanceOf(Entry.Settled.class, each.find("i"));
            assertEquals("first", settled.response().text());
            assertEquals(201, settled.response().status());
            assertEquals(Map.of("Location", List.of("/c/1")), settled.response().headers());
            assertTrue(settled.response().whole());
            assertEquals(NOW.plusSeconds(5), settled.settledAt());
            assertEquals("k-1", settled.key());
            assertTrue(settled.isFor(entry.call()));
            assertFalse(settled.isFor(call("other")));
            assertEquals(List.of(), each.pending());
        }
    }

    @Test
    default void only_what_was_seen_is_removed() {
        Entry.Pending entry = pending("i", "k-1");
        ledger().remember(entry);
        assertFalse(ledger().remove(pending("i", "other key")));
        Entry.Pending next = ledger().attempt(entry, NOW);
        assertFalse(ledger().remove(entry), "someone else has begun a try");
        assertTrue(ledger().remove(next));
        assertFalse(ledger().remove(next));
        assertNull(reopened().find("i"));
    }

    @Test
    default void a_settled_entry_is_removed_only_as_such() {
        Entry.Pending entry = pending("i", "k-1");
        ledger().remember(entry);
        ledger().settle(entry, response("x"), NOW);
        assertFalse(ledger().remove(entry));
        assertTrue(ledger().remove(assertNotNullEntry(ledger().find("i"))));
        assertNull(ledger().find("i"));
    }

    private static Entry assertNotNullEntry(Entry entry) {
        assertNotNull(entry);
        return entry;
    }

    @Test
    default void what_was_settled_long_ago_is_forgotten_and_nothing_else() {
        for (String intent : List.of("old", "new", "pending")) ledger().remember(pending(intent, intent));
        ledger().settle(pending("old", "old"), response("x"), NOW);
        ledger().settle(pending("new", "new"), response("x"), NOW.plusSeconds(10));
        ledger().forgetSettledBefore(NOW.plusSeconds(5));
        assertNull(ledger().find("old"));
        assertNotNull(ledger().find("new"));
        assertEquals(List.of("pending"), ledger().pending());
        assertNull(ledger().remember(pending("old", "another key")));
        assertEquals("another key", reopened().find("old").key());
    }

    @Test
    default void large_and_empty_bodies_come_back_as_they_were() {
        byte[] body = new byte[700_000];
        new java.util.Random(1).nextBytes(body);
        Call call = new Call("PUT", URI.create("https://h/"), Map.of(), body);
        ledger().remember(new Entry.Pending("large", "k", call, NOW, NOW.plusSeconds(1), 1, NOW));
        ledger().remember(new Entry.Pending(
                "empty", "k", new Call("DELETE", URI.create("https://h/"), Map.of(), new byte[0]), NOW, NOW, 0, null));
        Ledger next = reopened();
        assertArrayEquals(body, ((Entry.Pending) next.find("large")).call().body());
        assertEquals(0, ((Entry.Pending) next.find("empty")).call().body().length);
        assertNull(((Entry.Pending) next.find("empty")).firstSentAt());
        next.settle((Entry.Pending) next.find("large"), new Response(200, Map.of(), body, false), NOW);
        Entry.Settled settled = (Entry.Settled) reopened().find("large");
        assertArrayEquals(body, settled.response().body());
        assertFalse(settled.response().whole());
    }
}
