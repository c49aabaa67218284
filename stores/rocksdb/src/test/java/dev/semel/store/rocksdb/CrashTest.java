package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyState;
import dev.semel.core.store.Seen;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class CrashTest {
    private static final int LINES_BEFORE_THE_KILL = 2_000;

    @TempDir
    Path dir;

    @ParameterizedTest
    @EnumSource
    void what_a_killed_process_was_told_is_there(Durability durability) throws Exception {
        List<String> told = new ArrayList<>();
        Process child = child("write", durability);
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            while (told.size() < LINES_BEFORE_THE_KILL) told.add(lines.readLine());
            // Not by the process object: that would close the stream, too, with lines still in it.
            child.toHandle().destroyForcibly();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) told.add(line);
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertEquals(128 + 9, child.exitValue());
        try (RocksKeyStore store = RocksKeyStore.open(dir, durability)) {
            for (String line : told) if (line.endsWith(CrashChild.END)) check(store, line);
        }
    }

    private static void check(RocksKeyStore store, String line) {
        String[] words = line.split(" ");
        Seen seen = store.find(id(words[1]));
        assertNotNull(seen, line);
        if (words[0].equals("completed")) {
            var done = assertInstanceOf(KeyState.Done.class, seen.record().state(), line);
            assertEquals(CrashChild.outcome(words[1]), done.outcome(), line);
        }
    }

    @Test
    void a_second_process_is_told_that_the_folder_is_taken() throws Exception {
        try (RocksKeyStore store = RocksKeyStore.open(dir, Durability.OS)) {
            Process child = child("open", Durability.OS);
            try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
                String line = lines.readLine();
                assertTrue(line.startsWith("The folder " + dir.toRealPath() + " is in use by another process"), line);
            } finally {
                child.destroyForcibly().waitFor();
            }
            Sample.insert(store, "k");
        }
    }

    private Process child(String what, Durability durability) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashChild.class.getName(),
                        what,
                        dir.toString(),
                        durability.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
