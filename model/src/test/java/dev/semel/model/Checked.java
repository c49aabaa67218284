package dev.semel.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the checker found. */
record Checked(int exit, long states, String violated, String output) {
    private static final int NO_ERROR = 0;
    private static final int SAFETY = 12;
    private static final int LIVENESS = 13;
    private static final Pattern STATES =
            Pattern.compile("generated, ([\\d,]+) distinct states found, ([\\d,]+) states left");
    private static final Pattern INVARIANT = Pattern.compile("Invariant (\\w+) is violated");

    static Checked of(ToolRun run) {
        long states = -1;
        Matcher counts = STATES.matcher(run.output());
        while (counts.find()) states = Long.parseLong(counts.group(1).replace(",", ""));
        Matcher invariant = INVARIANT.matcher(run.output());
        return new Checked(run.exit(), states, invariant.find() ? invariant.group(1) : "", run.output());
    }

    /** Every state was seen, and there are about as many as there should be: an empty model keeps every law. */
    void holdsIn(long atLeast, long atMost) {
        assertEquals(NO_ERROR, exit, output);
        assertTrue(output.contains("No error has been found"), output);
        System.out.println(states + " states");
        assertTrue(atLeast <= states && states <= Bounds.pick(atMost, Long.MAX_VALUE), states + " states");
    }

    void breaks(String law) {
        assertEquals(SAFETY, exit, output);
        assertEquals(law, violated, output);
    }

    void neverComesAbout() {
        assertEquals(LIVENESS, exit, output);
        assertTrue(output.contains("Temporal properties were violated"), output);
    }
}
