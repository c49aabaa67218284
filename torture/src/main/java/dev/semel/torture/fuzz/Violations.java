package dev.semel.torture.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What must not happen and did. The first ones are shown and written to files. Safe for use by any thread. */
final class Violations {
    private static final int MOST_TOLD = 20;

    private final CaseSource cases;
    private final PrintStream out;
    private final @Nullable Path report;
    private int count;

    Violations(CaseSource cases, PrintStream out, @Nullable Path report) {
        this.cases = cases;
        this.out = out;
        this.report = report;
    }

    /** One that a case has caused. */
    synchronized void add(int index, String what, String details) {
        if (count++ >= MOST_TOLD) return;
        out.println();
        out.println("VIOLATION: " + what + ", request " + index + ": " + shortened(details));
        if (report == null) return;
        try {
            Files.createDirectories(report);
            Files.write(
                    report.resolve("request-" + index + ".bin"),
                    cases.number(index).bytes());
            Files.writeString(report.resolve("request-" + index + ".txt"), what + "\n" + details + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("The report cannot be written.", e);
        }
    }

    /** One that no case can be blamed for. */
    synchronized void add(String what) {
        count++;
        out.println();
        out.println("VIOLATION: " + shortened(what));
    }

    synchronized int count() {
        return count;
    }

    private static String shortened(String text) {
        return text.length() > 1_500 ? text.substring(0, 1_500) + " …" : text;
    }
}
