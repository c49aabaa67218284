package dev.semel.torture.ledger;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.torture.RunClock;
import dev.semel.torture.history.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("ledger.txt");
    }

    private Ledger open() throws IOException {
        return Ledger.open(file(), RunClock.start());
    }

    private List<Event.Effect> events() throws IOException {
        List<Event.Effect> events = new ArrayList<>();
        LedgerFile.events(file(), events::add);
        return events;
    }

    @Test
    void two_effects_of_a_key_have_different_answers_unless_repeats_are_one() throws Exception {
        try (Ledger ledger = open()) {
            assertNotEquals(
                    ledger.act("a", 1, 5, 1, false).effect(),
                    ledger.act("a", 1, 6, 2, false).effect());
            assertArrayEquals(
                    ledger.act("b", 1, 5, 1, true).body(),
                    ledger.act("b", 1, 6, 2, true).body());
        }
        assertEquals(4, events().size());
    }

    @Test
    void a_lower_token_is_refused_and_that_is_written_down() throws Exception {
        try (Ledger ledger = open()) {
            assertTrue(ledger.act("a", 1, 7, 2, true).accepted());
            assertFalse(ledger.act("a", 1, 6, 1, true).accepted());
        }
        assertEquals(
                List.of(true, false),
                events().stream().map(Event.Effect::accepted).toList());
    }

    @Test
    void a_new_process_goes_on_where_the_last_one_was_cut_off() throws Exception {
        Entry first;
        try (Ledger ledger = open()) {
            first = ledger.act("a", 1, 7, 1, true);
        }
        Files.writeString(file(), "99 a 1 8 ", StandardOpenOption.APPEND);
        try (Ledger ledger = open()) {
            assertEquals(first, ledger.find("a"));
            assertNull(ledger.find("b"));
            assertFalse(ledger.act("a", 1, 6, 1, true).accepted());
        }
        assertEquals(2, events().size());
    }
}
