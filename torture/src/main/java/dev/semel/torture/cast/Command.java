package dev.semel.torture.cast;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the system to its end. */
final class Command {
    private static final long LONGEST_SECONDS = 120;

    private Command() {}

    /** @throws IOException when it cannot be started or does not end well; the message has what it printed */
    static void run(String... command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("semel-torture", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (!ended) process.destroyForcibly();
            if (!ended || process.exitValue() != 0)
                throw new IOException("'" + String.join(" ", List.of(command)) + "' failed: " + Files.readString(said));
        } finally {
            Files.deleteIfExists(said);
        }
    }

    /** Sends a signal by its name. A process that is gone already is no failure. */
    static void signal(long pid, String name) throws IOException, InterruptedException {
        if (ProcessHandle.of(pid).isEmpty()) return;
        new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
