package dev.semel.examples.payments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LedgerTest {
    @TempDir
    Path folder;

    @Test
    void what_was_written_is_there_after_a_restart() throws IOException {
        try (Ledger ledger = Ledger.in(folder)) {
            ledger.append(charge("ch_1", "k-1"));
            ledger.append(charge("ch_2", null));
            ledger.append(charge("ch_3", "k-1"));
        }
        try (Ledger ledger = Ledger.in(folder)) {
            assertEquals(3, ledger.size());
            assertEquals(1, ledger.repeats());
            assertEquals(List.of(charge("ch_1", "k-1"), charge("ch_3", "k-1")), ledger.withKey("k-1"));
            assertEquals(List.of(charge("ch_3", "k-1"), charge("ch_2", null)), ledger.latest(2));
        }
    }

    @Test
    void an_entry_is_in_the_file_when_append_returns() throws IOException {
        try (Ledger ledger = Ledger.in(folder)) {
            ledger.append(charge("ch_1", "k-1"));
            assertEquals(1, Files.readAllLines(folder.resolve("charges.jsonl")).size());
        }
    }

    @Test
    void a_line_torn_by_a_crash_is_cut_off() throws IOException {
        try (Ledger ledger = Ledger.in(folder)) {
            ledger.append(charge("ch_1", "k-1"));
        }
        Files.writeString(folder.resolve("charges.jsonl"), "{\"id\":\"ch_2\",\"amo", StandardOpenOption.APPEND);
        try (Ledger ledger = Ledger.in(folder)) {
            assertEquals(List.of(charge("ch_1", "k-1")), ledger.latest(10));
            ledger.append(charge("ch_3", "k-1"));
        }
        try (Ledger ledger = Ledger.in(folder)) {
            assertEquals(List.of(charge("ch_3", "k-1"), charge("ch_1", "k-1")), ledger.latest(10));
        }
    }

    @Test
    void a_file_that_is_no_ledger_is_refused() throws IOException {
        Files.writeString(folder.resolve("charges.jsonl"), "hello\n");
        assertThrows(IOException.class, () -> Ledger.in(folder));
    }

    @Test
    void an_interrupted_writer_does_not_close_the_file_for_others() throws Exception {
        try (Ledger ledger = Ledger.in(folder)) {
            Thread writer = Thread.ofVirtual().start(() -> {
                Thread.currentThread().interrupt();
                appendOrFail(ledger, "ch_1");
            });
            writer.join();
            ledger.append(charge("ch_2", "k-2"));
            assertEquals(2, ledger.size());
        }
    }

    @Test
    void many_writers_at_once_lose_nothing() throws IOException {
        try (Ledger ledger = Ledger.in(folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                String id = "ch_" + i;
                threads.execute(() -> appendOrFail(ledger, id));
            }
        }
        try (Ledger ledger = Ledger.in(folder)) {
            assertEquals(100, ledger.size());
        }
    }

    private static void appendOrFail(Ledger ledger, String id) {
        try {
            ledger.append(charge(id, id));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Charge charge(String id, String key) {
        return new Charge(id, 1999, "eur", "c \"1\" ü", key, Instant.parse("2026-01-02T03:04:05.678Z"));
    }
}
