package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Command-line tools that a test needs. Where one is missing, the project's own script installs it. */
final class Tools {
    private static final Path SCRIPT = Path.of(System.getProperty("semel.root", ".."), "scripts", "tools.sh");

    private Tools() {}

    static void require(String... names) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
        command.addAll(List.of(names));
        Process script = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(script.getInputStream().readAllBytes());
        assertTrue(script.waitFor(5, TimeUnit.MINUTES), "it takes too long: " + command);
        assertEquals(0, script.exitValue(), "run this as a user who may install: " + command + "\n" + said);
    }
}
