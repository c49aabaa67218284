package dev.semel.http.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.core.key.Guarantee;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClaimIdTest {
    private static final ClaimId ID = new ClaimId(Guarantee.AT_LEAST_ONCE, "POST /v1/é\uD83D\uDE00", "k-\"~!");

    @Test
    void an_id_says_what_was_claimed() {
        assertEquals(ID, ClaimId.parse(ID.text()));
        ClaimId longest = new ClaimId(Guarantee.AT_MOST_ONCE, "o".repeat(1024), "k".repeat(255));
        assertEquals(longest, ClaimId.parse(longest.text()));
    }

    /** Ids are with their holders when Semel is upgraded: what was given out must stay readable. */
    @Test
    void ids_of_version_1_are_written_like_this() {
        assertEquals("AQAABmNoYXJnZWstMcCr0Mw", new ClaimId(Guarantee.AT_MOST_ONCE, "charge", "k-1").text());
    }

    @Test
    void no_damage_goes_unnoticed() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = Base64.getUrlDecoder().decode(ID.text());
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertNull(ClaimId.parse(encoded(flipped)), "bit " + bit);
        }
        for (int i = 0; i < 10_000; i++) {
            byte[] anything = new byte[random.nextInt(64)];
            random.nextBytes(anything);
            assertNull(ClaimId.parse(encoded(anything)), "seed " + seed);
        }
    }

    @Test
    void another_spelling_of_an_id_is_no_id() {
        String text = new ClaimId(Guarantee.AT_MOST_ONCE, "charge", "k-12").text();
        assertNull(ClaimId.parse(text + "="));
        assertNull(ClaimId.parse(text + "\n"));
        assertNull(ClaimId.parse(""));
        char last = text.charAt(text.length() - 1);
        for (char other = 'A'; other <= 'Z'; other++)
            if (other != last) assertNull(ClaimId.parse(text.substring(0, text.length() - 1) + other));
    }

    @Test
    void a_forged_id_leads_to_no_key_that_could_not_be_claimed() {
        assertNull(ClaimId.parse(forged("semel:audit", "k")));
        assertNull(ClaimId.parse(forged("a\0b", "k")));
        assertNull(ClaimId.parse(forged("o".repeat(1025), "k")));
        assertNull(ClaimId.parse(forged("o", "a b")));
        assertNull(ClaimId.parse(forged("o", "k".repeat(256))));
    }

    private static String forged(String operation, String key) {
        return new ClaimId(Guarantee.AT_MOST_ONCE, operation, key).text();
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
