package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.StoreException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");
    private static final Outcome OUTCOME = Outcome.of(new byte[] {1, 2, 3});
    private static final List<KeyState> STATES = List.of(
            new KeyState.Free(NOW.plusSeconds(1)),
            new KeyState.Held("holder", NOW.plusSeconds(2)),
            new KeyState.Held("", NOW, Guarantee.AT_LEAST_ONCE),
            new KeyState.Done(OUTCOME, NOW.plusSeconds(3), NOW.plusSeconds(4)),
            new KeyState.InDoubt("reason: é 🔑", 7, NOW.plusSeconds(5)));

    private static KeyRecord record(KeyState state, boolean remote) {
        Memo memo = remote ? Memo.of(new byte[] {0, -1}) : Memo.NONE;
        History history = remote ? History.NONE.with(NOW, "me", "é") : History.NONE;
        return new KeyRecord(Keys.id("ключ"), Keys.FINGERPRINT, 17, 3, 19, NOW, remote, memo, history, state);
    }

    @Test
    void what_was_written_is_read() {
        for (KeyState state : STATES)
            for (boolean remote : new boolean[] {false, true}) {
                KeyRecord record = record(state, remote);
                ByteBuffer outcome = state instanceof KeyState.Done ? ByteBuffer.wrap(OUTCOME.encoded()) : null;
                assertEquals(record, RecordReader.read(19, RecordCodec.encode(record), outcome));
            }
    }

    @Test
    void a_finished_key_without_its_outcome_is_spent() {
        KeyRecord spent = RecordReader.read(19, RecordCodec.encode(record(STATES.get(3), false)), null);
        assertEquals(new KeyState.Spent(NOW, NOW.plusSeconds(4)), spent.state());
    }

    /** Records outlive programs: these bytes are out there. */
    @Test
    void the_first_format_stays_as_it_is() {
        byte[] bytes = HexFormat.of()
                .parseHex(
                        "010202" + "0000000000000011" + "00000003" + "0006474ce2c5e240" + "00000000" + "00000001" + "6f"
                                + "00000001" + "6b" + "00000002" + "0109" + "00000000" + "00000000" + "0006474ce2c5e240"
                                + "00000001" + "68");
        KeyRecord read = RecordReader.read(19, ByteBuffer.wrap(bytes), null);
        assertEquals(new KeyState.Held("h", read.since(), Guarantee.AT_LEAST_ONCE), read.state());
        assertEquals("o k", read.id().toString());
        assertEquals(17, read.token());
        assertEquals(3, read.attempt());
        assertEquals(ByteBuffer.wrap(bytes), RecordCodec.encode(read));
    }

    @Test
    void damaged_bytes_are_refused_and_never_anything_else() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = RecordCodec.encode(record(STATES.get(i % STATES.size()), i % 2 == 0))
                    .array()
                    .clone();
            if (i % 3 == 0) bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            else bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            try {
                RecordReader.read(19, ByteBuffer.wrap(bytes), null);
            } catch (StoreException refused) {
                // As it should be.
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + HexFormat.of().formatHex(bytes), e);
            }
        }
        for (int length = 0; length < 60; length++) {
            ByteBuffer cut = RecordCodec.encode(record(STATES.get(1), false)).limit(length);
            assertThrows(StoreException.class, () -> RecordReader.read(19, cut, null));
        }
    }
}
