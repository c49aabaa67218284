package dev.semel.client.ledger;

import static dev.semel.client.ledger.LedgerContract.pending;
import static dev.semel.client.ledger.LedgerContract.response;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FileLedgerTest implements LedgerContract {
    @TempDir
    Path folder;

    private Path path;
    private FileLedger ledger;

    @BeforeEach
    void open() {
        path = folder.resolve("calls.ledger");
        ledger = FileLedger.open(path);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Ledger reopened() {
        ledger.close();
        ledger = FileLedger.open(path);
        return ledger;
    }

    /** At each byte of the last record. */
    @Test
    void a_record_that_was_being_written_is_cut_off_and_everything_before_is_there() throws IOException {
        ledger.remember(pending("first", "k-1"));
        long whole = Files.size(path);
        ledger.remember(pending("torn", "k-2"));
        ledger.close();
        byte[] bytes = Files.readAllBytes(path);
        for (int end = (int) whole; end < bytes.length; end++) {
            Files.write(path, Arrays.copyOf(bytes, end));
            try (FileLedger opened = FileLedger.open(path)) {
                assertEquals(List.of("first"), opened.pending(), "cut at " + end);
                if (end % 20 > 0) continue;
                opened.remember(pending("next", "k-3"));
            }
            try (FileLedger opened = FileLedger.open(path)) {
                assertEquals(List.of("first", "next"), opened.pending(), "cut at " + end);
            }
        }
    }

    @Test
    void garbage_after_the_last_record_is_cut_off() throws IOException {
        ledger.remember(pending("first", "k-1"));
        ledger.close();
        byte[] bytes = Files.readAllBytes(path);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 5000);
        Arrays.fill(longer, bytes.length + 3000, longer.length, (byte) '\n');
        Files.write(path, longer);
        assertEquals(List.of("first"), reopened().pending());
        assertTrue(Files.size(path) < bytes.length + 100, "" + Files.size(path));
    }

    /** At each byte of the first record. */
    @Test
    void damage_before_a_record_that_was_on_disk_is_not_taken_for_a_torn_end() throws IOException {
        long start = Files.size(path);
        ledger.remember(pending("first", "k-1"));
        long end = Files.size(path);
        ledger.remember(pending("second", "k-2"));
        ledger.close();
        byte[] bytes = Files.readAllBytes(path);
        for (int at = (int) start; at < end; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            Files.write(path, damaged);
            String message = assertThrows(LedgerException.class, () -> FileLedger.open(path))
                    .getMessage();
            assertTrue(message.contains("is damaged at byte"), message);
        }
    }

    @Test
    void a_file_that_is_something_else_is_left_alone() throws IOException {
        Path other = Files.writeString(folder.resolve("letter.txt"), "Dear Ann,\n");
        assertTrue(assertThrows(LedgerException.class, () -> FileLedger.open(other))
                .getMessage()
                .contains("not a ledger"));
        assertEquals("Dear Ann,\n", Files.readString(other));
        assertThrows(LedgerException.class, () -> FileLedger.open(folder.resolve("missing/ledger")));
        Files.writeString(folder.resolve("begun"), "semel-cl");
        FileLedger.open(folder.resolve("begun")).close();
    }

    @Test
    void a_second_one_is_told_that_the_file_is_in_use() {
        String message =
                assertThrows(LedgerException.class, () -> FileLedger.open(path)).getMessage();
        assertTrue(message.contains("is in use by another process"), message);
        ledger.remember(pending("i", "k"));
    }

    /** On Linux, to close any channel of a file unlocks it for the whole process. */
    @Test
    void another_process_is_refused_also_after_a_second_one_of_this_process_was() throws Exception {
        assertThrows(LedgerException.class, () -> FileLedger.open(path));
        assertThrows(
                LedgerException.class,
                () -> FileLedger.open(folder.resolve("../" + folder.getFileName() + "/calls.ledger")));
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opener.class.getName(),
                        path.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), UTF_8);
        assertTrue(said.contains("is in use by another process"), said);
        assertEquals(1, other.waitFor());
    }

    /** Another process that opens a ledger. */
    static final class Opener {
        public static void main(String[] arguments) {
            FileLedger.open(Path.of(arguments[0])).close();
        }
    }

    @Test
    void an_interrupted_thread_writes_it_anew_as_any_other_does() {
        ledger.close();
        ledger = FileLedger.open(path, 1);
        ledger.remember(pending("i", "k"));
        Thread.currentThread().interrupt();
        ledger.settle(pending("i", "k"), response("x".repeat(10)), NOW);
        ledger.forgetSettledBefore(NOW.plusSeconds(1));
        assertTrue(Thread.interrupted());
        ledger.remember(pending("next", "k-2"));
        assertEquals(List.of("next"), reopened().pending());
    }

    @Test
    void a_folder_that_takes_no_new_file_stops_nothing() throws IOException {
        ledger.close();
        ledger = FileLedger.open(path, 1);
        Files.createDirectories(folder.resolve("calls.ledger.new/full"));
        ledger.remember(pending("i", "k"));
        ledger.settle(pending("i", "k"), response("x"), NOW);
        ledger.forgetSettledBefore(NOW.plusSeconds(1));
        ledger.remember(pending("next", "k-2"));
        assertEquals(List.of("next"), reopened().pending());
    }

    @Test
    void only_its_owner_may_read_it() throws IOException {
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }

    @Test
    void it_does_not_grow_with_what_is_over() throws IOException {
        ledger.close();
        ledger = FileLedger.open(path, 20_000);
        ledger.remember(pending("stays", "k"));
        Entry.Pending counted = ledger.attempt(pending("stays", "k"), NOW);
        for (int i = 0; i < 500; i++) {
            Entry.Pending entry = pending("i" + i, "k" + i);
            ledger.remember(entry);
            ledger.settle(entry, response("x".repeat(100)), NOW.plusSeconds(i));
            ledger.forgetSettledBefore(NOW.plusSeconds(i - 3));
        }
        assertTrue(Files.size(path) < 25_000, "" + Files.size(path));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertEquals(2, counted.attempts());
        Ledger next = reopened();
        assertEquals(List.of("stays"), next.pending());
        assertEquals(2, ((Entry.Pending) next.find("stays")).attempts());
        assertInstanceOf(Entry.Settled.class, next.find("i499"));
    }

    @Test
    void many_threads_write_while_it_compacts_and_nothing_is_lost() throws Exception {
        ledger.close();
        ledger = FileLedger.open(path, 10_000);
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 300; i++) {
                Entry.Pending entry = pending("i" + i, "k" + i);
                boolean settles = i % 2 == 0;
                all.add(threads.submit(() -> {
                    ledger.remember(entry);
                    if (settles) ledger.settle(entry, response("x"), NOW);
                    else ledger.attempt(entry, NOW);
                }));
            }
        }
        for (Future<?> each : all) each.get();
        Ledger next = reopened();
        for (int i = 0; i < 300; i++) {
            Entry entry = next.find("i" + i);
            assertNotNull(entry);
            assertEquals("k" + i, entry.key());
            assertEquals(i % 2 == 0, entry instanceof Entry.Settled);
            if (entry instanceof Entry.Pending it) assertEquals(2, it.attempts());
        }
    }

    @Test
    void a_closed_ledger_says_so() {
        ledger.close();
        assertThrows(LedgerException.class, () -> ledger.remember(pending("i", "k")));
    }
}
