package dev.semel.torture.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    private static final List<Event> ONE_OF_EACH = List.of(
            new Event.Sent(5, 0, 3, "k-1", 7, Promise.AT_MOST_ONCE_PROBED, "g1"),
            new Event.Effect(6, "k-1", 7, 1_763_000_000_000_000L, 1, true, "d1"),
            new Event.Answered(Long.MAX_VALUE, 0, 201, "", true, "d1"),
            new Event.Sent(8, 1, -1, "k-\u00e4\ud83d\ude00", Integer.MIN_VALUE, Promise.JOINED, ""),
            new Event.Unanswered(9, 1, "reset"),
            new Event.Effect(9, "k-1", 7, -1, 2, false, ""),
            new Event.Fault(3, 12, "kill -9", "g1"),
            new Event.Settled(20, "k-1", 409, "outcome-unknown", "d2"));

    @TempDir
    Path folder;

    @Test
    void what_was_appended_is_seen_in_its_order() {
        History history = new History();
        ONE_OF_EACH.forEach(history::append);
        assertEquals(ONE_OF_EACH, events(history));
        assertEquals(ONE_OF_EACH.size(), history.size());
    }

    @Test
    void what_was_written_is_read_again() throws IOException {
        Path file = folder.resolve("run.history");
        try (History history = History.recording(file)) {
            ONE_OF_EACH.forEach(history::append);
        }
        History read = History.read(file);
        assertEquals(ONE_OF_EACH, events(read));
        read.append(ONE_OF_EACH.getFirst());
        assertEquals(ONE_OF_EACH.size() + 1, events(read).size());
    }

    @Test
    void a_history_that_is_cut_off_anywhere_is_read_up_to_there() throws IOException {
        Path file = folder.resolve("run.history");
        List<Event> written = new ArrayList<>();
        try (History history = History.recording(file)) {
            for (int i = 0; i < 60_000; i++) {
                Event event = new Event.Sent(i, i, i % 7, "key-" + i / 3, i % 2, Promise.AT_LEAST_ONCE, "g" + i % 4);
                written.add(event);
                history.append(event);
            }
        }
        byte[] whole = Files.readAllBytes(file);
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int most = 0;
        for (int i = 0; i < 20; i++) {
            int length = 16 + random.nextInt(whole.length - 16);
            Path cut = Files.write(folder.resolve("cut-" + i), Arrays.copyOf(whole, length));
            List<Event> read = events(History.read(cut));
            assertEquals(written.subList(0, read.size()), read);
            assertTrue(read.size() < written.size());
            most = Math.max(most, read.size());
        }
        assertTrue(most > 0, "all but the last block must be there");
    }

    @Test
    void damage_and_strangers_are_told_from_an_end() throws IOException {
        Path file = folder.resolve("run.history");
        try (History history = History.recording(file)) {
            for (Event event : ONE_OF_EACH) history.append(event);
        }
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 4;
            Files.write(file, damaged);
            try {
                List<Event> read = events(History.read(file));
                assertEquals(ONE_OF_EACH.subList(0, read.size()), read, "byte " + i);
            } catch (IOException seen) {
                // Told from an end. Else it is a length that reaches beyond the end, or a bit that means nothing.
            }
        }
        Path other = Files.writeString(folder.resolve("other"), "something else altogether");
        assertThrows(IOException.class, () -> History.read(other));
    }

    @Test
    void a_file_that_is_there_is_not_written_over() throws IOException {
        Path file = Files.writeString(folder.resolve("run.history"), "precious");
        assertThrows(IOException.class, () -> History.recording(file));
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void many_threads_append_and_every_key_has_its_own() throws Exception {
        Path file = folder.resolve("run.history");
        int threads = 8;
        int each = 20_000;
        try (History history = History.recording(file)) {
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int client = t;
                all.add(Thread.ofVirtual().start(() -> append(history, client, each)));
            }
            for (Thread it : all) it.join();
        }
        Map<String, Integer> calls = new HashMap<>();
        History.read(file).forEachKey(key -> {
            calls.put(key.key(), key.calls().size());
            for (Call call : key.calls())
                assertEquals(
                        "of " + call.sent().call(),
                        Objects.requireNonNull(call.answer()).body());
            assertTrue(key.doubled().isEmpty());
        });
        assertEquals(threads * 500, calls.size());
        calls.forEach((key, count) -> assertEquals(each / 500, count, key));
    }

    private static void append(History history, int client, int count) {
        for (int i = 0; i < count; i++) {
            int call = client * count + i;
            history.append(
                    new Event.Sent(2L * i, call, client, "c" + client + "-" + i % 500, 0, Promise.AT_MOST_ONCE, "g"));
            history.append(new Event.Answered(2L * i + 1, call, 200, "", false, "of " + call));
        }
    }

    @Test
    void the_events_of_a_key_are_by_time_and_ends_without_a_call_are_strays() {
        History history = new History();
        Event.Answered stray = new Event.Answered(1, 99, 200, "", false, "x");
        Event.Sent late = new Event.Sent(7, 1, 0, "k", 0, Promise.JOINED, "g");
        Event.Sent early = new Event.Sent(3, 0, 0, "k", 0, Promise.JOINED, "g");
        Event.Unanswered end = new Event.Unanswered(9, 0, "cut");
        for (Event event : List.of(stray, late, early, end)) history.append(event);
        List<KeyHistory> keys = new ArrayList<>();
        history.forEachKey(keys::add);
        assertEquals(1, keys.size());
        assertEquals(List.of(early, late, end), keys.getFirst().events());
        assertEquals(
                List.of(new Call(early, end), new Call(late, null)),
                keys.getFirst().calls());
        assertEquals(List.of(stray), history.strays());
    }

    /** Twelve events of each of 100,000 keys, as a run makes them: ten times that is what a run of a million keys leaves. */
    @Test
    void an_event_takes_few_bytes() throws IOException {
        Path file = folder.resolve("run.history");
        int events = 0;
        try (History history = History.recording(file)) {
            for (int key = 0; key < 100_000; key++) {
                String name = "torture-7f3a-" + key;
                String digest =
                        Long.toHexString(key * 0x9E3779B97F4A7C15L) + Long.toHexString(~key * 0xC2B2AE3D27D4EB4FL);
                for (int i = 0; i < 5; i++) {
                    long at = 20_000L * events;
                    history.append(new Event.Sent(at, key * 5 + i, i, name, 0, Promise.AT_MOST_ONCE, "g" + i));
                    history.append(new Event.Answered(at + 900_000, key * 5 + i, 201, "", i > 0, digest));
                    events += 2;
                }
                history.append(
                        new Event.Effect(20_000L * events, name, 0, 1_763_000_000_000_000L + key, 1, true, digest));
                history.append(new Event.Settled(20_000L * events, name, 201, "", digest));
                events += 2;
            }
            assertEquals(events, history.size());
        }
        long perEvent = Files.size(file) / events;
        System.out.println(perEvent + " bytes per event on disk");
        assertTrue(perEvent < 20, perEvent + " bytes per event on disk");
    }

    private static List<Event> events(History history) {
        List<Event> events = new ArrayList<>();
        history.forEach(events::add);
        return events;
    }
}
