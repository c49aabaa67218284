package dev.semel.http.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyAgeTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Instant NOW = Instant.parse("2026-01-08T00:00:00Z");

    /** The example in RFC 9562, appendix A.6. */
    @Test
    void a_uuid_of_version_7_says_when_it_was_made() {
        assertEquals(Instant.parse("2022-02-22T19:22:22Z"), KeyAge.madeAt("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8e03978e-40d5-43e8-bc93-6894a57f9324",
                "017f22e2-79b0-1cc3-98c4-dc0c0c07398f",
                "017f22e2-79b0-7cc3-08c4-dc0c0c07398f",
                "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f",
                "017f22e279b07cc398c4dc0c0c07398f",
                "x017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
                "017f22e2-79b0-7cc3-98c4-dc0c0c07398f ",
                "1645557742",
                ""
            })
    void other_keys_carry_no_time_and_are_not_judged(String key) {
        assertNull(KeyAge.madeAt(key));
        assertFalse(KeyAge.tooOld(key, Instant.MAX, Duration.ofMillis(1)));
        assertNull(new KeyAge(Duration.ofMillis(1)).check(key, NOW));
    }

    @Test
    void a_key_is_too_old_from_the_first_millisecond_after_its_age() {
        KeyAge age = new KeyAge(WEEK);
        assertNull(age.check(madeAt(NOW.minus(WEEK)), NOW));
        assertFalse(KeyAge.tooOld(madeAt(NOW.minus(WEEK)), NOW, WEEK));
        assertTrue(KeyAge.tooOld(madeAt(NOW.minus(WEEK).minusMillis(1)), NOW, WEEK));
        String flaw = age.check(madeAt(NOW.minus(WEEK).minusMillis(1)), NOW);
        assertTrue(flaw != null && flaw.contains("longer ago than 168h"), flaw);
    }

    @Test
    void a_key_may_be_five_minutes_ahead_and_no_more() {
        KeyAge age = new KeyAge(WEEK);
        assertNull(age.check(madeAt(NOW.plus(KeyAge.MAX_CLOCK_SKEW)), NOW));
        assertFalse(KeyAge.fromTheFuture(madeAt(NOW.plus(KeyAge.MAX_CLOCK_SKEW)), NOW));
        String flaw = age.check(madeAt(NOW.plus(KeyAge.MAX_CLOCK_SKEW).plusMillis(1)), NOW);
        assertTrue(flaw != null && flaw.contains("more than 5m from now. Check the clock"), flaw);
    }

    @Test
    void no_duration_and_no_time_is_too_large() {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        assertNull(new KeyAge(forever).check(madeAt(Instant.EPOCH), NOW));
        assertNotNull(new KeyAge(forever).check("ffffffff-ffff-7fff-bfff-ffffffffffff", NOW));
        assertNotNull(new KeyAge(WEEK).check(madeAt(Instant.EPOCH), Instant.MAX));
    }

    @Test
    void an_age_is_above_zero() {
        assertThrows(IllegalArgumentException.class, () -> new KeyAge(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> new KeyAge(Duration.ofDays(-1)));
    }

    @Test
    void every_millisecond_is_read_back() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            Instant time = Instant.ofEpochMilli(random.nextLong(1L << 48));
            assertEquals(time, KeyAge.madeAt(madeAt(time, random)), () -> "seed " + seed);
        }
    }

    private static String madeAt(Instant time) {
        return madeAt(time, new Random(1));
    }

    private static String madeAt(Instant time, Random random) {
        long high = time.toEpochMilli() << 16 | 0x7000 | random.nextInt(0x1000);
        return new UUID(high, random.nextLong() >>> 2 | 1L << 63).toString();
    }
}
