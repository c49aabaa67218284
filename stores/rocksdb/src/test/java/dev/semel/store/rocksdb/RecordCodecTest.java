package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.store.StoreException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void every_record_comes_back_as_it_was() {
        for (int round = 0; round < 5000; round++) {
            KeyRecord record = record(state(round % 5, random.nextInt(6000)));
            assertEquals(record, throughBytes(record), () -> "seed " + seed);
        }
    }

    @Test
    void an_outcome_of_eight_mebibytes_comes_back() {
        for (int size : new int[] {0, 1, 4095, 4096, 4097, 8 * 1024 * 1024}) {
            KeyRecord record = record(state(2, size));
            assertEquals(record, throughBytes(record), () -> "seed " + seed + ", size " + size);
        }
    }

    @Test
    void the_head_says_the_same_as_the_record() {
        for (int round = 0; round < 5000; round++) {
            KeyRecord record = record(state(round % 5, random.nextInt(6000)));
            byte[] head = RecordCodec.encode(record);
            Instant now = instant();
            KeyRecord then = record.asOf(now);
            assertEquals(record.revision(), RecordHead.revision(head));
            if (!record.equals(then)) assertTrue(RecordHead.mayHaveExpired(head, now), () -> "seed " + seed);
            if (then != null)
                assertTrue(RecordHead.mayCountAs(head, EnumSet.of(then.state().kind())));
        }
    }

    @Test
    void a_holder_is_ruled_out_for_the_purge_without_being_read() {
        byte[] head = RecordCodec.encode(record(new KeyState.Held("h", Instant.MIN)));
        assertFalse(RecordHead.mayHaveExpired(head, Instant.MAX));
        assertFalse(RecordHead.mayCountAs(head, EnumSet.complementOf(EnumSet.of(KeyState.Kind.HELD))));
    }

    @Test
    void an_unknown_version_is_refused() {
        byte[] head = RecordCodec.encode(record(new KeyState.Free(Instant.EPOCH)));
        head[0] = 7;
        StoreException refused = assertThrows(StoreException.class, () -> RecordCodec.decode(head, null, null));
        assertEquals(StoreException.Applied.NO, refused.applied());
        assertTrue(refused.getMessage().contains("format version 7"), refused.getMessage());
        assertThrows(StoreException.class, () -> RecordCodec.decode(new byte[0], null, null));
    }

    @Test
    void an_unknown_state_is_refused() {
        byte[] head = RecordCodec.encode(record(new KeyState.Free(Instant.EPOCH)));
        head[1] = 99;
        assertThrows(StoreException.class, () -> RecordCodec.decode(head, null, null));
    }

    @Test
    void a_record_that_ends_early_is_refused_wherever_it_ends() {
        byte[] head = RecordCodec.encode(record(new KeyState.Held("holder", Instant.EPOCH)));
        for (int length = 0; length < head.length; length++) {
            byte[] cut = Arrays.copyOf(head, length);
            assertThrows(StoreException.class, () -> RecordCodec.decode(cut, null, null), () -> "at " + cut.length);
        }
    }

    @Test
    void the_record_of_another_key_is_refused() {
        KeyRecord record = record(new KeyState.Held("holder", Instant.EPOCH));
        byte[] head = RecordCodec.encode(record);
        KeyId id = record.id();
        assertEquals(id, RecordCodec.decode(head, id, null).id());
        for (KeyId other : new KeyId[] {
            KeyId.of(id.tenant() + "x", id.operation(), id.key()),
            KeyId.of(id.tenant(), id.operation() + "x", id.key()),
            KeyId.of(id.tenant(), id.operation(), id.key() + "x")
        }) {
            assertThrows(IllegalStateException.class, () -> RecordCodec.decode(head, other, null));
            KeyRecord others = new KeyRecord(
                    other,
                    record.fingerprint(),
                    record.token(),
                    record.attempt(),
                    record.revision(),
                    record.since(),
                    record.state());
            assertFalse(RecordHead.sameId(head, RecordCodec.encode(others)));
        }
        assertTrue(RecordHead.sameId(head, RecordCodec.encode(record)));
    }

    private KeyRecord throughBytes(KeyRecord record) {
        byte[] head = RecordCodec.encode(record);
        byte[] body =
                record.state() instanceof KeyState.Done done ? done.outcome().encoded() : new byte[0];
        assertEquals(body.length >= RecordCodec.SEPARATE_BODY_FROM, RecordHead.hasSeparateBody(head));
        if (RecordHead.hasSeparateBody(head))
            assertTrue(head.length < RecordCodec.SEPARATE_BODY_FROM + 8 * 1024 + Memo.MOST_BYTES);
        KeyRecord known = RecordCodec.decode(head, record.id(), body);
        assertArrayEquals(
                known.id().digest(), RecordCodec.decode(head, null, body).id().digest());
        return known;
    }

    private KeyRecord record(KeyState state) {
        KeyId id = KeyId.of(random.nextBoolean() ? "" : word(), "o" + word(), "k" + word());
        byte[] digest = new byte[1 + random.nextInt(64)];
        random.nextBytes(digest);
        Fingerprint fingerprint = Fingerprint.of(
                Fingerprint.Algorithm.values()[random.nextInt(Fingerprint.Algorithm.values().length)], digest);
        byte[] memo = new byte[random.nextInt(3) == 0 ? random.nextInt(Memo.MOST_BYTES) : 0];
        random.nextBytes(memo);
        History history = History.NONE;
        for (int i = random.nextInt(3); i > 0; i--) history = history.with(Instant.EPOCH, text(), text());
        return new KeyRecord(
                id,
                fingerprint,
                random.nextLong(),
                random.nextInt(),
                random.nextLong(),
                instant(),
                (state instanceof KeyState.Held || state instanceof KeyState.InDoubt) && random.nextBoolean(),
                Memo.of(memo),
                history,
                state);
    }

    private KeyState state(int kind, int bytes) {
        return switch (kind) {
            case 0 -> new KeyState.Free(instant());
            case 1 -> new KeyState.Held(text(), instant(), Guarantee.values()[random.nextInt(2)]);
            case 2 -> new KeyState.Done(Sample.outcome(bytes, random), instant(), instant());
            case 3 -> new KeyState.InDoubt(text(), random.nextInt(100), instant());
            default -> new KeyState.Spent(instant(), instant());
        };
    }

    /** Well-formed, as the parts of a key must be. */
    private String word() {
        String[] words = {"a", "Ü", "漢字", "\uD83D\uDCB6", " ", "\u007f", "\n", "\"", "\uFFFF", "x".repeat(300)};
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) word.append(words[random.nextInt(words.length)]);
        return word.toString();
    }

    /** Anything, also half a surrogate pair and NUL. */
    private String text() {
        String[] odd = {"", "\uD83D", "\0", "\uDCB6x", "y".repeat(70_000)};
        return word() + odd[random.nextInt(odd.length)] + word();
    }

    private Instant instant() {
        return switch (random.nextInt(20)) {
            case 0 -> Instant.MIN;
            case 1 -> Instant.MAX;
            case 2 -> Instant.EPOCH;
            default -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        };
    }
}
