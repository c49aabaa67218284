package dev.semel.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The last lines that a child printed; always read, so that the child never blocks on a full pipe. */
final class ChildOutput {
    private static final int KEPT_LINES = 500;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private boolean ended;

    static ChildOutput of(Process process) {
        ChildOutput output = new ChildOutput();
        Thread.ofPlatform().daemon().name("output-of-" + process.pid()).start(() -> output.read(process));
        return output;
    }

    private void read(Process process) {
        try (BufferedReader reader = process.inputReader()) {
            for (String line; (line = reader.readLine()) != null; ) add(line);
        } catch (IOException closed) {
            // The child is gone.
        }
        add(null);
    }

    private void add(@Nullable String line) {
        lock.lock();
        try {
            if (line == null) ended = true;
            else lines.add(line);
            if (lines.size() > KEPT_LINES) lines.remove();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    String awaitLine(String beginning, Duration atMost) throws IOException, InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (true) {
                for (String line : lines) if (line.startsWith(beginning)) return line;
                if (ended) throw failure("The child process ended before it printed", beginning);
                if (left <= 0) throw failure("The child process did not print in time", beginning);
                left = news.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was printed until now no longer answers a wait. */
    void forget() {
        lock.lock();
        try {
            lines.clear();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return String.join("\n", lines);
        } finally {
            lock.unlock();
        }
    }

    private IOException failure(String what, String beginning) {
        return new IOException(what + " '" + beginning + "', but:\n" + String.join("\n", lines));
    }
}
