package dev.semel.gateway.metrics;

import dev.semel.http.Ending;
import java.util.Locale;

/** How a request ended, as the label {@code outcome} has it. */
public enum OutcomeLabel {
    FRESH,
    REPLAYED,
    WAITED,
    PASSED,
    /** A problem of the client's: 4xx. */
    REFUSED,
    /** A problem of the gateway's, or of what is behind it: 5xx. */
    FAILED,
    /** Semel's own resources. */
    OWN;

    private final String label = name().toLowerCase(Locale.ROOT);

    public static OutcomeLabel of(Ending ending, int status) {
        return switch (ending) {
            case FRESH -> FRESH;
            case REPLAYED -> REPLAYED;
            case WAITED -> WAITED;
            case PASSED -> PASSED;
            case PROBLEM -> status >= 500 ? FAILED : REFUSED;
        };
    }

    public String label() {
        return label;
    }
}
