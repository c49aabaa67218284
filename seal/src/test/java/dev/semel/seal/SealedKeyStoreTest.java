package dev.semel.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** With a look into the store behind, which has to know nothing. */
class SealedKeyStoreTest {
    private static final KeyId ID = Some.key("a");
    private static final KeyId LATER = Some.key("b");
    private static final Outcome CARD = Outcome.ofEncoded(Some.bytes("\1\0\0\u0042card 4111 1111"), 4);
    private static final Memo MEMO = Memo.of(Some.bytes("{\"iban\":\"DE02\"}"));

    private final KeyStore raw = new InMemoryKeyStore();
    private final KeyStore sealed = with(Some.keys("k1"));

    private KeyStore with(SealKeys keys) {
        return new SealedKeyStore(raw, keys);
    }

    @Test
    void the_store_behind_never_sees_an_outcome_or_a_memo() {
        KeyRecord held = Some.held(sealed, ID, MEMO);
        assertEquals(MEMO, held.memo());
        assertFalse(text(Some.found(raw, ID).memo().encoded()).contains("iban"));
        KeyRecord renewed = Some.become(sealed, held, new Next.Held("h", Some.HOUR, held.since()));
        assertEquals(MEMO, renewed.memo());
        assertFalse(text(Some.found(raw, ID).memo().encoded()).contains("iban"));
        assertEquals(renewed, Some.found(sealed, ID));

        KeyRecord done = Some.become(sealed, renewed, new Next.Done(CARD, Some.HOUR, Some.HOUR));
        assertEquals(done, Some.found(sealed, ID));
        assertEquals(CARD, Some.outcome(sealed, ID));
        assertEquals(4, Some.outcome(sealed, ID).clear());
        String stored = text(Some.outcome(raw, ID).encoded());
        assertFalse(stored.contains("card") || stored.contains("4111"), stored);
        assertTrue(Some.found(raw, ID).memo().isEmpty());
    }

    @Test
    void the_longest_memo_fits_with_the_longest_id_of_a_key() {
        KeyStore store = with(Some.keys("k".repeat(32)));
        Memo longest = Memo.of(new byte[Memo.MOST_BYTES]);
        assertEquals(longest, Some.held(store, ID, longest).memo());
        assertEquals(longest, Some.found(store, ID).memo());
    }

    @Test
    void after_a_change_of_keys_the_old_is_read_and_the_new_is_sealed_with_the_new_key() {
        Some.done(sealed, ID, CARD);
        KeyStore rotated = with(Some.keys("k2", "k1"));
        assertEquals(CARD, Some.outcome(rotated, ID));
        Some.done(rotated, LATER, CARD);
        assertEquals(CARD, Some.outcome(rotated, LATER));
        assertFalse(text(Some.outcome(raw, LATER).encoded()).contains("4111"));
        assertFalse(Some.outcome(with(Some.keys("k2")), LATER).isShredded());
        assertTrue(Some.outcome(sealed, LATER).isShredded(), "not sealed with the new key");
    }

    @Test
    void without_its_key_an_outcome_is_shredded_but_for_what_was_in_the_clear() {
        Some.done(sealed, ID, CARD);
        KeyRecord before = Some.found(sealed, ID);
        KeyStore without = with(Some.keys("k2"));
        Outcome left = Some.outcome(without, ID);
        assertTrue(left.isShredded());
        assertArrayEquals(Some.bytes("\1\0\0\u0042"), left.readable());
        assertNotEquals(Outcome.ofStored(left.readable()), left);
        assertEquals(before.revision(), Some.found(without, ID).revision());
        assertEquals(CARD, Some.outcome(sealed, ID), "reading must not change anything");
    }

    @Test
    void a_memo_is_not_lost_to_a_process_without_its_key() {
        Some.held(sealed, ID, MEMO);
        KeyStore without = with(Some.keys("k2"));
        KeyRecord seen = Some.found(without, ID);
        assertNotEquals(MEMO, seen.memo());
        without.replace(seen, Change.of(seen, new Next.InDoubt("?")));
        assertEquals(MEMO, Some.found(sealed, ID).memo(), "written back as it was");
    }

    @Test
    void what_is_left_of_an_outcome_is_no_secret_and_stays_what_it_is() {
        KeyRecord held = Some.held(sealed, ID, Memo.NONE);
        Some.become(sealed, held, new Next.Done(CARD.clearPart(), Some.HOUR, Some.HOUR));
        for (KeyStore each : List.of(raw, sealed)) assertEquals(CARD.clearPart(), Some.outcome(each, ID));
    }

    @Test
    void what_was_written_before_is_read_as_it_is() {
        Some.done(raw, ID, CARD);
        Some.held(raw, LATER, MEMO);
        assertEquals(CARD, Some.outcome(sealed, ID));
        assertEquals(MEMO, Some.found(sealed, LATER).memo());
        KeyRecord done = Some.become(sealed, Some.found(sealed, LATER), new Next.Done(CARD, Some.HOUR, Some.HOUR));
        assertEquals(done, Some.found(sealed, LATER));
        assertFalse(text(Some.outcome(raw, LATER).encoded()).contains("4111"));
    }

    @Test
    void a_ciphertext_moved_to_another_key_is_damage_for_every_way_to_see_it() {
        Some.done(sealed, ID, CARD);
        Some.done(raw, LATER, Some.outcome(raw, ID));
        assertDamaged(store -> store.find(LATER));
        assertDamaged(store -> store.findAll(List.of(ID, LATER)));
        assertDamaged(store -> store.insert(
                new NewKey(LATER, Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1}), "i", Some.HOUR)));
        KeyRecord outdated = Some.found(raw, ID);
        assertDamaged(store -> Some.become(store, moved(outdated), new Next.Free(Some.HOUR)));
    }

    private KeyRecord moved(KeyRecord seen) {
        KeyRecord current = Some.found(raw, LATER);
        return new KeyRecord(LATER, seen.fingerprint(), 1, 1, current.revision() - 1, current.since(), current.state());
    }

    private void assertDamaged(Consumer<KeyStore> call) {
        StoreException e = assertThrows(StoreException.class, () -> call.accept(sealed));
        assertEquals(StoreException.Applied.NO, e.applied());
        assertTrue(String.valueOf(e.getMessage()).contains("is damaged"), e::getMessage);
    }

    @Test
    void other_bytes_under_the_same_id_are_damage_and_not_shredding() {
        Some.done(sealed, ID, CARD);
        KeyStore impostor = with(SealKeys.of("k1", Map.of("k1", Some.bytesOf("other"))));
        assertThrows(StoreException.class, () -> impostor.find(ID));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
