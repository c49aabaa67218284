package dev.semel.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;

/**
 * An outbox that another process controls, line by line: {@code flood WRITERS BATCH MILLIS}, or
 * {@code pace WRITERS BATCH MILLIS PER_SECOND}. Each is answered by {@code looped}, how many messages the broker has had in all,
 * and what was measured. Ends with its input.
 */
public final class OutboxServer {
    /** Writers wait when so many are under way. */
    public static final int MOST_UNDER_WAY = 5_000;

    private OutboxServer() {}

    public static void serve(MeasuredOutbox outbox, MessageTimes times) throws IOException, InterruptedException {
        PrintStream out = System.out;
        MessageLoop loop = new MessageLoop(outbox, times);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        out.println(LoopServer.READY);
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ", -1);
            int writers = Integer.parseInt(words[1]);
            int batch = Integer.parseInt(words[2]);
            Duration time = Duration.ofMillis(Long.parseLong(words[3]));
            LoopResult result = switch (words[0]) {
                case "flood" -> loop.flood(writers, batch, time);
                case "pace" -> loop.pace(writers, batch, time, Integer.parseInt(words[4]));
                default -> throw new IllegalArgumentException("Not understood: " + line);
            };
            out.println(LoopServer.LOOPED + times.acknowledgedCount() + " " + result.line());
        }
    }
}
