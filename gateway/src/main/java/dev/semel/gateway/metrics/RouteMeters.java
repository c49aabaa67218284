package dev.semel.gateway.metrics;

import dev.semel.http.Exchange;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one route. On the path of each request, so what is common is looked up by index; meters of what is
 * rare are made when it first happens. For use by any thread.
 */
public final class RouteMeters {
    private static final String NO_PROBLEM = "none";
    private static final String[] RESULTS = {
        "not-sent", "1xx", "2xx", "3xx", "4xx", "5xx", "broken", "timed-out",
    };
    private static final int NOT_SENT = 0;
    private static final int BROKEN = 6;
    private static final int TIMED_OUT = 7;

    private final MeterRegistry registry;
    private final String route;
    private final Map<OutcomeLabel, Counter> requests = new ConcurrentHashMap<>();
    private final Map<OutcomeLabel, Timer> times = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Timer> upstream = new AtomicReferenceArray<>(RESULTS.length);
    private final Map<String, Counter> problems = new ConcurrentHashMap<>();
    private final Counter absorbed;

    RouteMeters(MeterRegistry registry, String route) {
        this.registry = registry;
        this.route = route;
        this.absorbed = Counter.builder(MeterNames.DUPLICATES_ABSORBED)
                .description("Requests whose key was taken already, and that therefore did not run")
                .tag(MeterNames.ROUTE, route)
                .register(registry);
    }

    public String route() {
        return route;
    }

    /** A series that begins with its first event hides that event from rates: so the common ones begin with none. */
    RouteMeters begunAtZero() {
        for (OutcomeLabel common :
                new OutcomeLabel[] {OutcomeLabel.FRESH, OutcomeLabel.REPLAYED, OutcomeLabel.WAITED, OutcomeLabel.PASSED
                }) requests(common);
        return this;
    }

    public void ended(OutcomeLabel outcome, int status, @Nullable String problem, long nanos) {
        if (outcome == OutcomeLabel.REFUSED || outcome == OutcomeLabel.FAILED)
            problems(outcome, problem).increment();
        else requests(outcome).increment();
        if (isAbsorbed(outcome, status, problem)) absorbed.increment();
        time(outcome).record(nanos, TimeUnit.NANOSECONDS);
    }

    private static boolean isAbsorbed(OutcomeLabel outcome, int status, @Nullable String problem) {
        if (outcome == OutcomeLabel.REPLAYED || outcome == OutcomeLabel.WAITED) return true;
        if (outcome != OutcomeLabel.REFUSED || problem == null) return false;
        return switch (problem) {
            case "in-progress", "key-spent", "too-many-waiters" -> true;
            case "outcome-unknown" -> status == 409;
            default -> false;
        };
    }

    private Counter requests(OutcomeLabel outcome) {
        Counter known = requests.get(outcome);
        return known != null ? known : requests.computeIfAbsent(outcome, first -> counter(first, NO_PROBLEM));
    }

    private Counter problems(OutcomeLabel outcome, @Nullable String problem) {
        String name = problem == null ? NO_PROBLEM : problem;
        return problems.computeIfAbsent(outcome.label() + ' ' + name, first -> counter(outcome, name));
    }

    private Counter counter(OutcomeLabel outcome, String problem) {
        return Counter.builder(MeterNames.REQUESTS)
                .description("Requests by how they ended")
                .tags(MeterNames.ROUTE, route, MeterNames.OUTCOME, outcome.label(), MeterNames.PROBLEM, problem)
                .register(registry);
    }

    private Timer time(OutcomeLabel outcome) {
        Timer known = times.get(outcome);
        return known != null ? known : times.computeIfAbsent(outcome, this::timer);
    }

    private Timer timer(OutcomeLabel outcome) {
        return Timer.builder(MeterNames.REQUEST_TIME)
                .description("Time from the head of a request until its answer is ready to leave")
                .tags(MeterNames.ROUTE, route, MeterNames.OUTCOME, outcome.label())
                .serviceLevelObjectives(MeterNames.REQUEST_BUCKETS)
                .register(registry);
    }

    /** @param nanos until its fate was clear */
    public void upstream(Exchange<?> exchange, long nanos) {
        int result = switch (exchange) {
            case Exchange.Answered<?> it -> status(it.response().status());
            case Exchange.TooLargeToKeep<?> it -> status(it.status());
            case Exchange.NotSent<?> it -> NOT_SENT;
            case Exchange.Broken<?> it -> BROKEN;
            case Exchange.TimedOut<?> it -> TIMED_OUT;
        };
        upstream(result).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The same for a request that was passed on, until the head of its answer came. */
    public void upstreamAnswered(int status, long nanos) {
        upstream(status(status)).record(nanos, TimeUnit.NANOSECONDS);
    }

    public void upstreamNotReached(long nanos) {
        upstream(NOT_SENT).record(nanos, TimeUnit.NANOSECONDS);
    }

    public void upstreamFailed(boolean timedOut, long nanos) {
        upstream(timedOut ? TIMED_OUT : BROKEN).record(nanos, TimeUnit.NANOSECONDS);
    }

    private static int status(int status) {
        return Math.clamp(status / 100, 1, 5);
    }

    private Timer upstream(int result) {
        Timer known = upstream.get(result);
        if (known != null) return known;
        Timer made = Timer.builder(MeterNames.UPSTREAM_TIME)
                .description("Time that the upstream took, by what came of it")
                .tags(MeterNames.ROUTE, route, MeterNames.RESULT, RESULTS[result])
                .serviceLevelObjectives(MeterNames.REQUEST_BUCKETS)
                .register(registry);
        upstream.set(result, made);
        return made;
    }
}
