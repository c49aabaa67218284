package dev.semel.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

    @Test
    void comes_back_from_its_bytes() {
        History history = History.NONE
                .with(NOW, "probe 1", "still unknown: 503")
                .with(NOW.plusSeconds(1), "Łucja", "it did happen: “seen” \uD83D\uDCB6 half \uD83D nul \0 end");
        assertEquals(history, History.ofBytes(history.bytes()));
        assertEquals(0, History.NONE.bytes().length);
        assertEquals(History.NONE, History.ofBytes(new byte[0]));
    }

    @Test
    void stays_small_and_keeps_how_it_began() {
        History history = History.NONE;
        for (int i = 0; i < 1000; i++) history = history.with(NOW, "漢".repeat(500), i + " " + "漢".repeat(5000));
        assertTrue(history.bytes().length < 65_536, "fits in two bytes of length: " + history.bytes().length);
        assertTrue(history.remarks().getFirst().what().startsWith("0 "));
        assertTrue(history.remarks().getLast().what().startsWith("999 "));
        assertEquals(history, History.ofBytes(history.bytes()));
    }

    @Test
    void damaged_bytes_are_refused() {
        byte[] bytes = History.NONE.with(NOW, "a", "b").bytes();
        for (int length = 1; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(IllegalArgumentException.class, () -> History.ofBytes(cut));
        }
        bytes[0] = 9;
        assertThrows(IllegalArgumentException.class, () -> History.ofBytes(bytes));
    }
}
