package dev.semel.examples.demo;

import static java.util.Locale.ROOT;

import java.io.PrintStream;
import java.time.Duration;

/** How the demo ended, in plain words. */
record ClosingReport(Summary end, long seed, Duration duration) {
    void print(PrintStream out) {
        out.println();
        out.printf(
                ROOT,
                "The same %,d payments over the same bad network, twice:%n%n",
                end.guarded().wanted());
        Board table = new Board(false, out.charset());
        for (String line : table.table(end)) out.println(line.stripTrailing());
        out.println();
        printIncidents(out, end.incidents());
        long twice = end.bare().overcharged();
        if (twice > 0) out.println("Without Semel, " + payments(twice) + " charged more than once.");
        out.println(conclusion(end.guarded()));
        out.println("The same payments and the same luck again: " + command());
        out.flush();
    }

    private static void printIncidents(PrintStream out, IncidentCount broken) {
        if (broken.kills() > 0) out.println("The gateway was killed with kill -9 " + Board.times(broken.kills()) + ".");
        if (broken.crashes() > 0) out.println("The payment services crashed " + Board.times(broken.crashes()) + ".");
        if (broken.blackouts() > 0)
            out.println("The network lost every answer for 3 seconds, " + Board.times(broken.blackouts()) + ".");
        if (broken.doubts().begun() > 0) out.println(doubts(broken.doubts()) + ".");
    }

    static String doubts(DemoGateway.Doubts doubts) {
        return String.format(
                ROOT,
                "Doubts: %,d begun, %,d ended by asking the service, %,d open",
                doubts.begun(),
                doubts.endedByProbe(),
                doubts.open());
    }

    private static String conclusion(SideCount with) {
        if (with.answered() == 0) return "With Semel, nothing was paid. Does anything listen where the customers go?";
        if (with.missing() > 0) return "With Semel, " + payments(with.missing()) + " answered as paid but NOT CHARGED.";
        if (with.doubleCharges() > 0)
            return String.format(ROOT, "With Semel, %,d charges were DOUBLE. That must not be.", with.doubleCharges());
        if (with.unknown() > 0)
            return "With Semel, no payment was charged twice; " + payments(with.unknown())
                    + " still without an answer.";
        return "With Semel, every payment was charged exactly once.";
    }

    private static String payments(long count) {
        return count == 1 ? "1 payment was" : String.format(ROOT, "%,d payments were", count);
    }

    private String command() {
        boolean endless = duration.compareTo(Demo.UNTIL_INTERRUPTED) >= 0;
        return "./semel demo --seed " + seed + (endless ? "" : " --seconds " + duration.toSeconds());
    }
}
