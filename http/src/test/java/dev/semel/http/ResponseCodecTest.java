package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Outcome;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseCodecTest {
    private static final HttpResponse CREATED = new HttpResponse(
            201,
            Headers.NONE
                    .with("Content-Type", "application/json")
                    .with("X-Multi", "1")
                    .with("x-multi", "")
                    .with("X-Latin", "caf\u00e9"),
            "{\"id\":1}".getBytes(UTF_8));

    @Test
    void a_response_comes_back_as_it_was() {
        assertRoundTrip(StoredResponse.whole(CREATED));
        assertRoundTrip(StoredResponse.whole(new HttpResponse(204, Headers.NONE, new byte[0])));
        assertRoundTrip(StoredResponse.whole(new HttpResponse(999, Headers.NONE, new byte[] {0, -1, 127, -128})));
    }

    @Test
    void a_response_without_its_body_comes_back_as_such() {
        StoredResponse decoded =
                ResponseCodec.decode(ResponseCodec.encode(StoredResponse.withoutBody(200, CREATED.headers())));
        assertFalse(decoded.bodyKept());
        assertEquals(0, decoded.response().body().length);
        assertEquals(CREATED.headers(), decoded.response().headers());
        assertEquals(200, decoded.response().status());
    }

    @Test
    void format_one_is_written_down_here_to_the_byte_because_stored_outcomes_rely_on_it() {
        HttpResponse response = new HttpResponse(201, Headers.NONE.with("A", "b\u00e9"), new byte[] {9, 8});
        assertEquals(
                "01 00 00c9 01 01 41 03 62c3a9 02 0908".replace(" ", ""),
                HexFormat.of()
                        .formatHex(ResponseCodec.encode(StoredResponse.whole(response))
                                .encoded()));
        assertEquals(
                "01 01 0101 00 00".replace(" ", ""),
                HexFormat.of()
                        .formatHex(ResponseCodec.encode(StoredResponse.withoutBody(257, Headers.NONE))
                                .encoded()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 8 * 1024 * 1024})
    void bodies_of_any_size_come_back(int size) {
        byte[] body = new byte[size];
        new Random(size).nextBytes(body);
        assertRoundTrip(StoredResponse.whole(new HttpResponse(200, CREATED.headers(), body)));
    }

    @Test
    void many_long_headers_come_back() {
        List<Headers.Field> fields = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) fields.add(new Headers.Field("H" + i, "v".repeat(i)));
        assertRoundTrip(StoredResponse.whole(new HttpResponse(200, Headers.of(fields), new byte[0])));
    }

    @Test
    void random_responses_come_back() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 2_000; round++)
            assertRoundTrip(StoredResponse.whole(random(random)), "seed " + seed);
    }

    @Test
    void a_large_body_is_copied_once_each_way() {
        StoredResponse large =
                StoredResponse.whole(new HttpResponse(200, CREATED.headers(), new byte[8 * 1024 * 1024]));
        ResponseCodec.decode(ResponseCodec.encode(large));
        long before = allocated();
        Outcome outcome = ResponseCodec.encode(large);
        long between = allocated();
        StoredResponse decoded = ResponseCodec.decode(outcome);
        long after = allocated();
        assertEquals(8 * 1024 * 1024, decoded.response().body().length);
        assertTrue(between - before < 9L * 1024 * 1024, () -> "encoding allocated " + (between - before));
        assertTrue(after - between < 9L * 1024 * 1024, () -> "decoding allocated " + (after - between));
    }

    @Test
    void a_response_takes_fourteen_bytes_more_than_its_texts_and_its_body() {
        int texts = 0;
        for (Headers.Field field : CREATED.headers()) texts += (field.name() + field.value()).getBytes(UTF_8).length;
        int size = ResponseCodec.encode(StoredResponse.whole(CREATED)).encoded().length;
        assertEquals(texts + CREATED.body().length + 14, size);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 199, 0, -1, 1000})
    void only_final_statuses_can_be_recorded(int status) {
        StoredResponse stored = StoredResponse.whole(new HttpResponse(status, Headers.NONE, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> ResponseCodec.encode(stored));
    }

    @Test
    void another_format_is_refused_by_number() {
        byte[] bytes = ResponseCodec.encode(StoredResponse.whole(CREATED)).encoded();
        for (int format = 0; format < Outcome.SEALED; format++) {
            if (format == 1) continue;
            bytes[0] = (byte) format;
            Outcome stored = Outcome.ofStored(bytes);
            // One number marks what is left of a shredded outcome, and belongs to no format.
            if (stored.isShredded()) continue;
            UnreadableOutcomeException e =
                    assertThrows(UnreadableOutcomeException.class, () -> ResponseCodec.decode(stored));
            assertTrue(e.getMessage().contains("format " + format + ","), e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "01",
                "01 02 00c8 00 00", // a flag from the future
                "01 ff 00c8 00 00",
                "01 00 0000 00 00", // no status
                "01 00 00c7 00 00",
                "01 00 ffff 00 00",
                "01 00 00c8",
                "01 00 00c8 00",
                "01 00 00c8 00 01", // a body that is not there
                "01 00 00c8 00 00 00", // bytes after the body
                "01 00 00c8 ffffffff07 01 41", // two thousand million headers
                "01 00 00c8 01 ffffffff07 41", // a name of two thousand million bytes
                "01 00 00c8 01 01 41 ffffffff07", // a value of that size
                "01 00 00c8 00 ffffffff07", // a body of that size
                "01 00 00c8 00 ffffffff0f", // a negative number
                "01 00 00c8 00 8080808010", // more than 32 bits
                "01 00 00c8 00 808080808000",
                "01 00 00c8 00 ffffffffffffffff"
            })
    void damaged_bytes_are_refused(String hex) {
        Outcome damaged = Outcome.ofStored(HexFormat.of().parseHex(hex.replace(" ", "")));
        assertThrows(UnreadableOutcomeException.class, () -> ResponseCodec.decode(damaged));
    }

    @Test
    void of_a_shredded_response_the_status_is_left() {
        Outcome outcome = ResponseCodec.encode(StoredResponse.whole(CREATED));
        assertEquals(4, outcome.clear());
        Outcome left = Outcome.shredded(Arrays.copyOf(outcome.encoded(), outcome.clear()));
        StoredResponse stored = ResponseCodec.decode(left);
        assertEquals(CREATED.status(), stored.response().status());
        assertEquals(0, stored.response().headers().size());
        assertFalse(stored.bodyKept());
        Outcome nothing = Outcome.shredded(new byte[0]);
        assertThrows(UnreadableOutcomeException.class, () -> ResponseCodec.decode(nothing));
    }

    @Test
    void an_encrypted_response_that_nobody_opened_is_told_as_such() {
        Outcome sealed = Outcome.ofStored(new byte[] {(byte) Outcome.SEALED, 1, 2, 'k', '1'});
        UnreadableOutcomeException e =
                assertThrows(UnreadableOutcomeException.class, () -> ResponseCodec.decode(sealed));
        assertTrue(String.valueOf(e.getMessage()).contains("encrypted"), e.getMessage());
    }

    @Test
    void a_response_cut_short_anywhere_is_refused() {
        byte[] bytes = ResponseCodec.encode(StoredResponse.whole(CREATED)).encoded();
        for (int length = 0; length < bytes.length; length++) {
            Outcome cut = Outcome.ofStored(Arrays.copyOf(bytes, length));
            assertThrows(UnreadableOutcomeException.class, () -> ResponseCodec.decode(cut));
        }
    }

    @Test
    void no_damage_makes_the_reader_fail_in_any_other_way_or_allocate_much() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes =
                    ResponseCodec.encode(StoredResponse.whole(random(random))).encoded();
            for (int i = random.nextInt(4); i >= 0; i--)
                bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt();
            long before = allocated();
            try {
                ResponseCodec.decode(Outcome.ofStored(bytes));
            } catch (UnreadableOutcomeException e) {
                refused++;
            }
            long allocated = allocated() - before;
            assertTrue(allocated < 200_000, () -> "seed " + seed + " allocated " + allocated);
        }
        assertTrue(refused > 1_000, "seed " + seed);
    }

    private static HttpResponse random(Random random) {
        Headers headers = Headers.NONE;
        for (int i = random.nextInt(5); i > 0; i--)
            headers = headers.with("Name" + random.nextInt(300), "\u00ff".repeat(random.nextInt(200)));
        byte[] body = new byte[random.nextInt(400)];
        random.nextBytes(body);
        return new HttpResponse(200 + random.nextInt(400), headers, body);
    }

    private static long allocated() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
    }

    private static void assertRoundTrip(StoredResponse stored) {
        assertRoundTrip(stored, "");
    }

    private static void assertRoundTrip(StoredResponse stored, String message) {
        StoredResponse decoded = ResponseCodec.decode(ResponseCodec.encode(stored));
        assertEquals(stored.bodyKept(), decoded.bodyKept(), message);
        assertEquals(stored.response().status(), decoded.response().status(), message);
        assertEquals(stored.response().headers(), decoded.response().headers(), message);
        assertArrayEquals(stored.response().body(), decoded.response().body(), message);
    }
}
