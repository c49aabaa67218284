package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.endpoint.Endpoint.Health;
import dev.semel.broker.webhook.http.Answer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What follows from a failure, for the endpoint: its circuit breaker, and when it is given up. Pure. */
final class HealthRules {
    /** After so many failures in a row the breaker opens. */
    static final int OPENS_AFTER = 10;

    static final Duration FIRST_PAUSE = Duration.ofSeconds(30);
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    /** An endpoint that has taken nothing for so long, and was asked, is disabled. */
    static final Duration DISABLED_AFTER = Duration.ofDays(5);

    private HealthRules() {}

    /** @param disabled why it is disabled now; null when it is not */
    record Verdict(Health health, boolean opened, @Nullable String disabled) {}

    /** @param probe whether this was the one delivery that is tried while the breaker is open */
    static Verdict afterFailure(Health before, Answer answer, boolean probe, Instant now) {
        int failures = before.failures() + 1;
        Instant since = before.failingSince() == null ? now : before.failingSince();
        boolean opens = before.openUntil() == null && failures >= OPENS_AFTER;
        Instant until = opens || probe ? now.plus(pause(failures)) : before.openUntil();
        Duration asked = DeliveryRules.retryAfter(answer);
        if (asked != null && (until == null || until.isBefore(now.plus(asked)))) until = now.plus(asked);
        return new Verdict(new Health(failures, since, until), opens, disabled(answer, failures, since, now));
    }

    private static Duration pause(int failures) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(Math.max(failures - OPENS_AFTER, 0), 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private static @Nullable String disabled(Answer answer, int failures, Instant since, Instant now) {
        if (DeliveryRules.isGone(answer)) return "it answered 410 Gone";
        boolean tooLong = !now.isBefore(since.plus(DISABLED_AFTER)) && failures >= OPENS_AFTER;
        return tooLong ? "it has taken nothing since " + since : null;
    }
}
