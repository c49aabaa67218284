package dev.semel.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A loop that another process controls, line by line: {@code fresh CALLERS MILLIS} or {@code replay CALLERS MILLIS DISTINCT}.
 * Each is answered by {@code looped}, how often the effect ran, and what was measured. Ends with its input.
 */
public final class LoopServer {
    public static final String READY = "ready";
    public static final String LOOPED = "looped ";

    /** The fresh numbers of each number of callers begin at a multiple of this, above all numbers that are repeated. */
    private static final long FRESH_RANGE = 1L << 40;

    private LoopServer() {}

    /**
     * Serves until the input ends.
     *
     * @param effects counts how often the operation really ran, and was not answered from what is kept
     */
    public static void serve(Operation operation, AtomicLong effects) throws IOException, InterruptedException {
        // Libraries may print too. What the other process reads stands on lines of its own.
        PrintStream out = System.out;
        Map<Integer, ClosedLoop> loops = new HashMap<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        out.println(READY);
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ", -1);
            int callers = Integer.parseInt(words[1]);
            ClosedLoop loop = loops.computeIfAbsent(callers, ClosedLoop::ofThreads);
            Duration time = Duration.ofMillis(Long.parseLong(words[2]));
            long before = effects.get();
            LoopResult result = switch (words[0]) {
                case "fresh" -> loop.run(number -> operation.run(callers * FRESH_RANGE + number), time);
                case "replay" -> loop.repeat(operation, time, Long.parseLong(words[3]));
                default -> throw new IllegalArgumentException("Not understood: " + line);
            };
            out.println(LOOPED + (effects.get() - before) + " " + result.line());
        }
    }
}
