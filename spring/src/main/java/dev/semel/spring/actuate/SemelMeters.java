package dev.semel.spring.actuate;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.Probe.Finding;
import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;

/**
 * The engine of an application under the gateway's meter names (see {@code docs/metrics.md}); the label {@code route} is the
 * operation. For use by any thread.
 */
final class SemelMeters implements SemelListener {
    private static final String NONE = "none";

    private final MeterRegistry registry;
    private final RequestOperations requests;

    SemelMeters(MeterRegistry registry, RequestOperations requests) {
        this.registry = registry;
        this.requests = requests;
        registry.counter("semel.doubts.begun");
        registry.counter("semel.leases.lost");
        registry.counter("semel.lease.renewals.failed");
    }

    /** What runs and who waits. */
    static void gauges(Semel semel, MeterRegistry registry) {
        Gauge.builder("semel.in.flight", semel, Semel::heldHere)
                .description("Operations that run in this application now")
                .register(registry);
        Gauge.builder("semel.waiting", semel, Semel::waitingHere)
                .description("Duplicates that wait here for an operation in flight")
                .register(registry);
    }

    @Override
    public void on(SemelEvent event) {
        switch (event) {
            case SemelEvent.Claimed it -> claimed(it);
            case SemelEvent.FellIntoDoubt it -> count("semel.doubts.begun");
            case SemelEvent.DoubtEnded it -> count("semel.doubts.ended", "by", word(it.by()));
            case SemelEvent.Probed it -> count("semel.probes", "found", found(it.finding()));
            case SemelEvent.LeaseLost it -> count("semel.leases.lost");
            case SemelEvent.RenewalFailed it -> count("semel.lease.renewals.failed");
            default -> {}
        }
    }

    private void claimed(SemelEvent.Claimed event) {
        String route = event.id().operation();
        if (requests.contains(route)) return;
        boolean waited = event.waited().compareTo(Duration.ZERO) > 0;
        switch (event.answer()) {
            case Claim.Granted it -> request(route, "fresh", NONE);
            case Claim.AlreadyDone it -> absorbed(route, waited ? "waited" : "replayed", NONE);
            case Claim.InProgress it -> absorbed(route, "refused", "in-progress");
            case Claim.TooManyWaiters it -> absorbed(route, "refused", "too-many-waiters");
            case Claim.InDoubt it -> absorbed(route, "refused", "outcome-unknown");
            case Claim.Spent it -> absorbed(route, "refused", "key-spent");
            case Claim.Mismatched it -> request(route, "refused", "key-reused");
            case Claim.OverQuota it -> request(route, "refused", "quota-exceeded");
        }
    }

    private void absorbed(String route, String outcome, String problem) {
        request(route, outcome, problem);
        count("semel.duplicates.absorbed", "route", route);
    }

    private void request(String route, String outcome, String problem) {
        count("semel.requests", "route", route, "outcome", outcome, "problem", problem);
    }

    private void count(String name, String... tags) {
        registry.counter(name, tags).increment();
    }

    private static String found(Finding finding) {
        return switch (finding) {
            case Finding.Happened it -> "happened";
            case Finding.DidNotHappen it -> "did-not-happen";
            case Finding.StillUnknown it -> "still-unknown";
        };
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
