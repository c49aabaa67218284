package dev.semel.core.claim;

import dev.semel.core.key.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a claim is answered. Only {@link Granted} may run the operation. */
public sealed interface Claim {

    /** Run the operation, then settle the lease. */
    record Granted(Lease lease) implements Claim {}

    /** Another attempt runs. */
    record InProgress(Instant since, Duration retryAfter) implements Claim {}

    /**
     * The operation has run; this is its outcome.
     *
     * @param waited how long the claim waited for the attempt in flight; zero when it found the outcome there
     */
    record AlreadyDone(Outcome outcome, Instant doneAt, Instant replayUntil, Duration waited) implements Claim {
        public AlreadyDone(Outcome outcome, Instant doneAt, Instant replayUntil) {
            this(outcome, doneAt, replayUntil, Duration.ZERO);
        }

        /** The same, found after waiting so long. */
        public AlreadyDone after(Duration wait) {
            return new AlreadyDone(outcome, doneAt, replayUntil, wait);
        }
    }

    /**
     * The operation may or may not have run. Running it again is not safe; nor is giving up.
     *
     * @param retryAfter when a probe is due; null when there is none
     */
    record InDoubt(
            Instant since,
            String reason,
            long token,
            @Nullable Duration retryAfter) implements Claim {}

    /** The key was first used for something else. */
    record Mismatched() implements Claim {}

    /** The operation has run, and its outcome is no longer kept. */
    record Spent(Instant doneAt) implements Claim {}

    /** Another attempt runs, and too many wait for it already. */
    record TooManyWaiters(Duration retryAfter) implements Claim {}

    /**
     * The tenant has used up a quota; nothing was written. Only ever the answer for what would have been granted.
     *
     * @param what the quota: {@code keys} or {@code in-flight}
     */
    record OverQuota(String what, Duration retryAfter) implements Claim {}
}
