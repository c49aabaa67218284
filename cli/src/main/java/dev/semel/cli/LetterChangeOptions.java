package dev.semel.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who changes something about dead letters, and why. */
final class LetterChangeOptions {
    @Option(names = "--reason", paramLabel = "TEXT", description = "why; it is kept in the table of who did what")
    private @Nullable String reason;

    @Option(names = "--by", paramLabel = "NAME", description = "who does it (default: the user of this system)")
    private @Nullable String by;

    void require() {
        if (reason == null || reason.isBlank())
            throw new UsageProblem("Give --reason: why. It is kept in the table of who did what.");
    }

    String reason() {
        return reason == null ? "" : reason;
    }

    String by() {
        return by == null ? System.getProperty("user.name", "operator") : by;
    }
}
