package dev.semel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** What a process prints, read as it comes so that it never blocks on a full pipe. */
final class ProcessOutput {
    private final StringBuilder text = new StringBuilder();
    private boolean ended;

    static ProcessOutput of(InputStream stream, String name) {
        ProcessOutput output = new ProcessOutput();
        Thread.ofPlatform().daemon().name(name).start(() -> output.read(stream));
        return output;
    }

    private void read(InputStream stream) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line; (line = reader.readLine()) != null; ) add(line + "\n");
        } catch (IOException closed) {
            // The process is gone.
        }
        end();
    }

    private synchronized void add(String line) {
        text.append(line);
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** @return whether this was printed; false when the process ended, or the time, without it */
    synchronized boolean awaitText(String part) throws InterruptedException {
        long deadline = System.nanoTime() + Await.LONG.toNanos();
        while (text.indexOf(part) < 0 && !ended && System.nanoTime() - deadline < 0) wait(1000);
        return text.indexOf(part) >= 0;
    }

    /** All of it, once the process has ended. */
    synchronized String whole() throws InterruptedException {
        long deadline = System.nanoTime() + Await.LONG.toNanos();
        while (!ended && System.nanoTime() - deadline < 0) wait(1000);
        return text.toString();
    }

    synchronized String soFar() {
        return text.toString();
    }
}
