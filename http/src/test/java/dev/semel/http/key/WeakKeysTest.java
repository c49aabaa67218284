package dev.semel.http.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.http.key.WeakKeys.Finding;
import dev.semel.http.key.WeakKeys.Kind;
import dev.semel.testkit.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeakKeysTest {
    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<Finding> findings = Collections.synchronizedList(new ArrayList<>());
    private final WeakKeys weakKeys = new WeakKeys(clock, findings::add);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1                                     | SHORT
        abc                                   | SHORT
        aB3$x_9                               | SHORT
        charge                                | SHORT
        my-payment-key                        | SHORT
        123456789012                          | SHORT
        a1a1a1a1                              | SHORT
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa      | SHORT
        00000000-0000-0000-0000-000000000000  | SHORT
        ffffffff-ffff-ffff-ffff-ffffffffffff  | SHORT
        1767225600                            | SHORT TIME
        1767225600123                         | SHORT TIME
        1767225600123456                      | TIME
        1767225600123456789                   | TIME
        1766966400                            | SHORT TIME
        1667225600                            | SHORT
        2026-01-01T00:00                      | TIME
        2026-01-01T00:00:00.123Z              | TIME
        2019-07-31T23:59:59+02:00             | TIME
        20260101T000000Z                      | TIME
        2026-01-01T00:00:00Z-8f14e45f         |
        8e03978e-40d5-43e8-bc93-6894a57f9324  |
        c232ab00-9414-11ec-b3c8-9f6bdeced846  |
        8e03978e40d543e8bc936894a57f9324      |
        V1StGXR8_Z5jdHi6B-myT                 |
        k3J9xQ2m                              |
        01ARZ3NDEKTSV4RRFFQ69G5FAV            |
        acme%3A1:2026/17                      |
        8275093845102938475610293847          |
        """)
    void a_key_is_judged_by_its_look(String key, String kinds) {
        weakKeys.note("r", "t", key);
        Set<Kind> expected = EnumSet.noneOf(Kind.class);
        if (kinds != null) for (String kind : kinds.split(" ")) expected.add(Kind.valueOf(kind));
        Set<Kind> found = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) if (weakKeys.count(kind) > 0) found.add(kind);
        assertEquals(expected, found);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        order-0017 order-0018                     | 1
        order-0017 order-0020                     | 1
        order-0017 order-0021                     | 0
        order-0017 order-0017                     | 0
        order-0018 order-0017                     | 0
        order-17 invoice-18                       | 0
        order-9 order-10                          | 1
        order-17 order-18 order-19 order-20       | 3
        order-17 order-18 order-18 order-18       | 1
        a99999999999999999998 a99999999999999999999 | 1
        a999999999999999999999999999998 a999999999999999999999999999999 | 1
        order-a order-b                           | 0
        7f3a9c1e5b2d4f60a1 7f3a9c1e5b2d4f60a2     | 1
        """)
    void a_number_that_follows_the_last_one_is_noticed(String keys, long times) {
        for (String key : keys.split(" ")) weakKeys.note("r", "t", key);
        assertEquals(times, weakKeys.count(Kind.SEQUENTIAL));
    }

    @Test
    void tenants_and_routes_count_for_themselves() {
        weakKeys.note("r", "t", "order-0017");
        weakKeys.note("r", "u", "order-0018");
        weakKeys.note("s", "t", "order-0018");
        assertEquals(0, weakKeys.count(Kind.SEQUENTIAL));
        weakKeys.note("r", "t", "order-0018");
        assertEquals(1, weakKeys.count(Kind.SEQUENTIAL));
    }

    @Test
    void a_finding_is_told_once_an_hour_for_each_kind_and_route_and_counted_always() {
        for (int i = 0; i < 5; i++) weakKeys.note("r", "t" + i, "abc-de");
        weakKeys.note("s", "t", "abc-de");
        assertEquals(List.of(new Finding(Kind.SHORT, "r", "aaa-aa"), new Finding(Kind.SHORT, "s", "aaa-aa")), findings);
        weakKeys.note("r", "t", "2026-01-01T00:00:00Z");
        assertEquals(new Finding(Kind.TIME, "r", "9999-99-99A99:99:99A"), findings.getLast());
        clock.advance(Duration.ofMinutes(59));
        weakKeys.note("r", "t", "x");
        assertEquals(3, findings.size());
        clock.advance(Duration.ofMinutes(1));
        weakKeys.note("r", "t", "x");
        weakKeys.note("r", "t", "x");
        assertEquals(4, findings.size());
        assertEquals(9, weakKeys.count(Kind.SHORT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zq7", "ZQ-77", "acme_inc:77", "zz?zz", "k\u00e9y"})
    void a_finding_shows_no_character_of_the_key_that_says_anything(String key) {
        weakKeys.note("r", "tenant", key);
        weakKeys.note("r2", "tenant", key + "0".repeat(100));
        for (Finding finding : findings) {
            assertTrue(finding.shape().matches("[aA9?_.:/-]{1,24}…?"), finding::toString);
            assertTrue(finding.shape().length() <= 25);
        }
    }

    @Test
    void random_keys_of_common_makes_are_not_weak() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = new byte[16];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(bytes);
            String tenant = "t" + random.nextInt(3);
            weakKeys.note("r", tenant, new UUID(random.nextLong(), random.nextLong()).toString());
            weakKeys.note("r", tenant, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
            weakKeys.note("r", tenant, HexFormat.of().formatHex(bytes));
        }
        for (Kind kind : Kind.values()) assertEquals(0, weakKeys.count(kind), () -> "seed " + seed + " " + kind);
    }

    @Test
    void any_text_can_be_noted() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String alphabet = "0123456789aZ-T:.\u00e9\ud83d";
        for (int i = 0; i < 100_000; i++) {
            char[] key = new char[random.nextInt(40)];
            int few = 1 + random.nextInt(alphabet.length());
            for (int c = 0; c < key.length; c++) key[c] = alphabet.charAt(random.nextInt(few));
            try {
                weakKeys.note("r", "t", new String(key));
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + " " + Arrays.toString(key), e);
            }
        }
    }

    @Test
    void many_threads_at_once_lose_no_count_and_tell_one_finding() throws Exception {
        int threads = 8;
        int each = 10_000;
        CountDownLatch together = new CountDownLatch(threads);
        try (var pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++)
                running.add(pool.submit(() -> {
                    together.countDown();
                    together.await();
                    for (int i = 0; i < each; i++) weakKeys.note("r", "t", "x");
                    return null;
                }));
            for (Future<?> thread : running) thread.get();
        }
        assertEquals((long) threads * each, weakKeys.count(Kind.SHORT));
        assertEquals(1, findings.size());
    }
}
