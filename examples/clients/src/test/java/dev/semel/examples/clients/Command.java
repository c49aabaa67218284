package dev.semel.examples.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a command said, and how it ended. */
record Command(List<String> line, String said, int exit) {

    static Command run(Path folder, String... line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(5, TimeUnit.MINUTES), "it takes too long: " + List.of(line));
            return new Command(List.of(line), said, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }

    String succeeded() {
        assertEquals(0, exit, line + " said " + said);
        return said;
    }
}
