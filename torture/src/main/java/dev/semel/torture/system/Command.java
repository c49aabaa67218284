package dev.semel.torture.system;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the system to its end. */
final class Command {
    private static final long LONGEST_SECONDS = 120;
    private static final long STOPPING_SECONDS = 5;

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

    /** Sends SIGSTOP, and returns when no thread of the process can act any more. */
    static void stop(long pid) throws IOException, InterruptedException {
        signal(pid, "STOP");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOPPING_SECONDS);
        while (acts(pid) && System.nanoTime() - deadline < 0) Thread.sleep(1);
    }

    /** One that waits for the disk is as good as stopped: it stops before it learns what the disk says. */
    private static boolean acts(long pid) throws IOException {
        Path tasks = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(tasks)) return false;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String line = Files.readString(thread.resolve("stat"));
                char state = line.charAt(line.lastIndexOf(')') + 2);
                if (state == 'R' || state == 'S') return true;
            }
            return false;
        } catch (NoSuchFileException ended) {
            return true;
        }
    }
}
