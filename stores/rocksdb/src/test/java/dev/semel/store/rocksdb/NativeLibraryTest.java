package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NativeLibraryTest {
    @TempDir
    Path dir;

    @Test
    void a_process_that_uses_the_store_leaves_nothing_in_the_temporary_folder() throws Exception {
        Path temporary = Files.createDirectory(dir.resolve("tmp"));
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashChild.class.getName(),
                        "write",
                        dir.resolve("store").toString(),
                        Durability.OS.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            assertTrue(line.startsWith("claimed "), line);
            assertEquals(List.of(), files(temporary));
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private static List<Path> files(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
