package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
class LeftBehindTest {
    @TempDir
    Path dir;

    @Test
    void a_gateway_that_is_killed_leaves_nothing_in_the_temporary_folder() throws Exception {
        Path temporary = Files.createDirectory(dir.resolve("tmp"));
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        GatewayChild.class.getName(),
                        "rocksdb:" + dir.resolve("store"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && !line.equals(GatewayChild.LISTENING)) line = lines.readLine();
            assertEquals(GatewayChild.LISTENING, line);
        } finally {
            child.destroyForcibly().waitFor();
        }
        try (Stream<Path> files = Files.list(temporary)) {
            assertEquals(List.of(), files.toList());
        }
    }
}
