package dev.semel.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A loop that another process controls, line by line: {@code fresh MILLIS} or {@code replay MILLIS DISTINCT}. Each is
 * answered by {@code looped}, how often the effect ran, and what was measured. Ends with its input.
 */
public final class LoopServer {
    public static final String READY = "ready";
    public static final String LOOPED = "looped ";

    /** Fresh keys begin above all numbers that are repeated. */
    private static final long FIRST_FRESH = 1L << 40;

    private LoopServer() {}

    /**
     * Serves until the input ends.
     *
     * @param effects counts how often the operation really ran, and was not answered from what is kept
     */
    public static void serve(Operation operation, AtomicLong effects, int callers)
            throws IOException, InterruptedException {
        // Libraries may print too. What the other process reads stands on lines of its own.
        PrintStream out = System.out;
        ClosedLoop loop = ClosedLoop.ofThreads(callers);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        out.println(READY);
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ", -1);
            Duration time = Duration.ofMillis(Long.parseLong(words[1]));
            long before = effects.get();
            LoopResult result = switch (words[0]) {
                case "fresh" -> loop.run(number -> operation.run(FIRST_FRESH + number), time);
                case "replay" -> loop.repeat(operation, time, Long.parseLong(words[2]));
                default -> throw new IllegalArgumentException("Not understood: " + line);
            };
            out.println(LOOPED + (effects.get() - before) + " " + result.line());
        }
    }
}
