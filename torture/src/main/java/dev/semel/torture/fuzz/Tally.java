package dev.semel.torture.fuzz;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** How often what happened. Safe for use by any thread. */
final class Tally {
    private final Map<String, Long> counts = new TreeMap<>();

    synchronized void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    synchronized void print(PrintStream out) {
        counts.forEach((what, count) -> out.printf(
                Locale.ROOT, "  %-22s %,10d%n", what.toLowerCase(Locale.ROOT).replace('_', ' '), count));
    }
}
