package dev.semel.seal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.seal.Seal.Opened;
import dev.semel.seal.Seal.Role;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SealTest {
    private static final KeyId ID = Some.key("a");
    private static final byte[] SECRET = Some.bytes("\1\0status and a secret");

    private final Seal seal = new Seal(Some.keys("k1"));

    private byte[] sealed() {
        return seal.seal(ID, Role.OUTCOME, SECRET, 4);
    }

    @Test
    void what_was_sealed_opens_and_says_what_was_in_the_clear() {
        Opened.Whole whole = assertInstanceOf(Opened.Whole.class, seal.open(ID, Role.OUTCOME, sealed()));
        assertArrayEquals(SECRET, whole.bytes());
        assertEquals(4, whole.clear());
    }

    @Test
    void any_length_and_any_clear_part_come_back() {
        Random random = new Random(7);
        for (int length = 0; length < 300; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            int clear = random.nextInt(Math.min(length, Outcome.MOST_CLEAR_BYTES) + 1);
            byte[] sealed = seal.seal(ID, Role.MEMO, bytes, clear);
            assertEquals(Outcome.SEALED, sealed[0] & 0xff);
            Opened.Whole whole = assertInstanceOf(Opened.Whole.class, seal.open(ID, Role.MEMO, sealed));
            assertArrayEquals(bytes, whole.bytes());
        }
    }

    @Test
    void only_the_clear_part_can_be_read_in_what_is_sealed() {
        String text = new String(sealed(), StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("\1\0st"));
        assertFalse(text.contains("secret"));
        assertFalse(text.contains("atus"));
    }

    @Test
    void every_flipped_bit_is_refused() {
        byte[] sealed = sealed();
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            byte[] flipped = sealed.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            int at = bit;
            assertInstanceOf(Opened.Damaged.class, seal.open(ID, Role.OUTCOME, flipped), () -> "bit " + at);
        }
    }

    @Test
    void whatever_is_cut_off_or_added_is_refused() {
        byte[] sealed = sealed();
        for (int length = 1; length < sealed.length; length++)
            assertInstanceOf(
                    Opened.Damaged.class, seal.open(ID, Role.OUTCOME, Arrays.copyOf(sealed, length)), "" + length);
        assertInstanceOf(Opened.Damaged.class, seal.open(ID, Role.OUTCOME, Arrays.copyOf(sealed, sealed.length + 1)));
    }

    @Test
    void nothing_sealed_can_be_moved_to_another_record_or_role() {
        assertInstanceOf(Opened.Damaged.class, seal.open(Some.key("b"), Role.OUTCOME, sealed()));
        assertInstanceOf(Opened.Damaged.class, seal.open(ID, Role.MEMO, sealed()));
    }

    @Test
    void another_key_by_the_same_id_is_damage_and_an_unknown_id_is_a_key_that_is_gone() {
        Seal impostor = new Seal(SealKeys.of("k1", Map.of("k1", Some.bytesOf("other"))));
        assertInstanceOf(Opened.Damaged.class, impostor.open(ID, Role.OUTCOME, sealed()));
        Opened.KeyGone gone =
                assertInstanceOf(Opened.KeyGone.class, new Seal(Some.keys("k2")).open(ID, Role.OUTCOME, sealed()));
        assertArrayEquals(Arrays.copyOf(SECRET, 4), gone.clear());
    }

    @Test
    void the_same_bytes_are_never_sealed_alike() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) assertTrue(seen.add(HexFormat.of().formatHex(sealed())), "a nonce came twice");
    }

    /** Sealed outcomes outlive upgrades. */
    @Test
    void what_an_earlier_version_sealed_opens() {
        byte[] kept = Base64.getDecoder().decode(KEPT);
        Opened.Whole whole = assertInstanceOf(Opened.Whole.class, seal.open(ID, Role.OUTCOME, kept));
        assertArrayEquals(SECRET, whole.bytes());
    }

    private static final String KEPT =
            "/wECazEEAQBzdHeogPvuG0TZOBHfzmmnwf7ZJTdmQj6vkukCnGBm3o4+A+z6rKFgP+SS0qxBx/wE6aM=";

    @Test
    void keys_are_checked_and_never_shown() {
        byte[] key = Some.bytesOf("k1");
        assertThrows(IllegalArgumentException.class, () -> SealKeys.of("k2", Map.of("k1", key)));
        assertThrows(IllegalArgumentException.class, () -> SealKeys.of("k1", Map.of("k1", new byte[31])));
        for (String id : new String[] {"", "a b", "é", "x".repeat(33), "a/b", "a\n"})
            assertThrows(IllegalArgumentException.class, () -> SealKeys.of(id, Map.of(id, key)), id);
        assertEquals(
                "SealKeys[active A.b_c-9 of [A.b_c-9]]", Some.keys("A.b_c-9").toString());
    }
}
