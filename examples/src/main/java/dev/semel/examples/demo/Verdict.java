package dev.semel.examples.demo;

import static java.util.Locale.ROOT;

import java.io.PrintStream;

/** How the demo ended, in plain words. */
record Verdict(Summary end, long seed) {
    void print(PrintStream out) {
        long seconds = end.elapsed().toSeconds();
        out.println();
        out.printf(ROOT, "%,d payments by %d shoppers in %,d s", end.payments(), end.shoppers(), seconds);
        out.printf(ROOT, ", %,d requests (seed %d).%n", end.requests(), seed);
        out.printf(ROOT, "The network lost %,d answers and cut %,d requests", end.answersLost(), end.requestsCut());
        out.printf(ROOT, "; %,d answers came too late.%n", end.timeOuts());
        out.printf(ROOT, "%,d requests were duplicates; %,d got through", end.duplicates(), end.repeats());
        out.printf(ROOT, ", each good for one more charge.%n");
        if (end.unfinished() > 0) out.printf(ROOT, "%,d payments were left unfinished.%n", end.unfinished());
        if (end.refused() > 0) out.printf(ROOT, "%,d payments were refused.%n", end.refused());
        printVerdict(out);
        out.flush();
    }

    private void printVerdict(PrintStream out) {
        if (end.payments() == 0) {
            out.println("Nothing was paid. Does anything listen where the shoppers go?");
        } else if (end.missing() > 0) {
            out.printf(ROOT, "%,d payments were answered as paid but NOT CHARGED.%n", end.missing());
        } else if (end.doubleCharges() > 0) {
            out.printf(ROOT, "%,d charges, %,d DOUBLE", end.charges(), end.doubleCharges());
            out.println(": customers paid more than once.");
        } else {
            out.printf(ROOT, "%,d charges, 0 double: every payment was charged exactly once.%n", end.charges());
        }
    }
}
