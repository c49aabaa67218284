package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.http.Answer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What follows from an answer, for the delivery. Pure. */
final class DeliveryRules {
    /** The pauses that Standard Webhooks recommends: ten attempts over three days. */
    static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    /** So much longer a pause may get, so that those who failed together do not come back together. */
    static final double JITTER = 0.2;

    /** An endpoint can ask for no more. */
    static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(24);

    private DeliveryRules() {}

    /** What becomes of a delivery. */
    sealed interface Next {
        record Delivered() implements Next {}

        record Again(Duration pause) implements Next {}

        record Dead() implements Next {}
    }

    /** Why an answer is no success. */
    record Failure(String kind, String reason) {}

    /** Null for a success. */
    static @Nullable Failure failure(Answer answer) {
        return switch (answer) {
            case Answer.Status it when it.isSuccess() -> null;
            case Answer.Status it
            when it.code() >= 300 && it.code() < 400 ->
                new Failure("redirect", "HTTP status " + it.code() + "; redirects are not followed");
            case Answer.Status it -> new Failure("status-" + it.code(), "HTTP status " + it.code());
            case Answer.None it -> new Failure(it.kind(), it.reason());
        };
    }

    /**
     * @param attempts with this one
     * @param age since the delivery was made
     * @param random from 0 to 1
     */
    static Next after(Answer answer, int attempts, Duration age, Duration maxAge, double random) {
        if (failure(answer) == null) return new Next.Delivered();
        // The endpoint is disabled for it; the delivery waits there until it is enabled, or too old.
        if (isGone(answer)) return new Next.Again(Duration.ZERO);
        if (attempts > PAUSES.size() || age.compareTo(maxAge) >= 0) return new Next.Dead();
        Duration pause = PAUSES.get(attempts - 1);
        Duration jittered = pause.plusMillis((long) (pause.toMillis() * JITTER * random));
        Duration asked = retryAfter(answer);
        return new Next.Again(asked != null && asked.compareTo(jittered) > 0 ? asked : jittered);
    }

    /** It says that it will never take webhooks again. */
    static boolean isGone(Answer answer) {
        return answer instanceof Answer.Status it && it.code() == 410;
    }

    /** For how long it asks to be left alone; null when it does not, or has no say in it. */
    static @Nullable Duration retryAfter(Answer answer) {
        if (!(answer instanceof Answer.Status it) || it.retryAfter() == null) return null;
        return switch (it.code()) {
            case 429, 502, 503, 504 ->
                it.retryAfter().compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : it.retryAfter();
            default -> null;
        };
    }
}
