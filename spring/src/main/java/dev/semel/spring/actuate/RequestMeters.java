package dev.semel.spring.actuate;

import dev.semel.http.Ending;
import dev.semel.servlet.ServletListener;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Requests to controllers under the gateway's meter names. For use by any thread. */
final class RequestMeters implements ServletListener {
    private static final String NO_ROUTE = "(none)";

    private final MeterRegistry registry;

    RequestMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void on(Ended ended) {
        String route = ended.route() == null ? NO_ROUTE : ended.route().name();
        String outcome = outcome(ended.ending(), ended.status());
        String problem = ended.problem() == null ? "none" : ended.problem();
        registry.counter("semel.requests", "route", route, "outcome", outcome, "problem", problem)
                .increment();
        if (isAbsorbed(ended.ending(), ended.status(), ended.problem()))
            registry.counter("semel.duplicates.absorbed", "route", route).increment();
        registry.timer("semel.request", "route", route, "outcome", outcome).record(ended.took());
    }

    private static String outcome(Ending ending, int status) {
        return switch (ending) {
            case FRESH -> "fresh";
            case REPLAYED -> "replayed";
            case WAITED -> "waited";
            case PASSED -> "passed";
            case PROBLEM -> status >= 500 ? "failed" : "refused";
        };
    }

    private static boolean isAbsorbed(Ending ending, int status, @Nullable String problem) {
        if (ending == Ending.REPLAYED || ending == Ending.WAITED) return true;
        if (ending != Ending.PROBLEM || problem == null) return false;
        return switch (problem) {
            case "in-progress", "key-spent", "too-many-waiters" -> true;
            case "outcome-unknown" -> status == 409;
            default -> false;
        };
    }
}
