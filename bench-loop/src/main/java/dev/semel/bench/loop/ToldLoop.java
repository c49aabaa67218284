package dev.semel.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;

/**
 * A loop that another process tells what to do, line by line: {@code fresh MILLIS} or {@code replay MILLIS DISTINCT}. Each is
 * answered by {@code looped} and what was measured. Ends with its input.
 */
public final class ToldLoop {
    public static final String READY = "ready";
    public static final String LOOPED = "looped ";

    private ToldLoop() {}

    /** Serves until the input ends. */
    public static void serve(Operation operation, int callers) throws IOException, InterruptedException {
        // Libraries may print; what is said to the other process stands on lines of its own.
        PrintStream out = System.out;
        ClosedLoop loop = ClosedLoop.ofThreads(callers);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        out.println(READY);
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ", -1);
            Duration time = Duration.ofMillis(Long.parseLong(words[1]));
            Looped looped = switch (words[0]) {
                case "fresh" -> loop.run(operation, time);
                case "replay" -> loop.repeat(operation, time, Long.parseLong(words[2]));
                default -> throw new IllegalArgumentException("Not understood: " + line);
            };
            out.println(LOOPED + looped.line());
        }
    }
}
