package dev.semel.client;

import dev.semel.client.ledger.Ledger;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Everything a client is told when it is made. */
record ClientSettings(
        Ledger ledger,
        ClientTime time,
        RandomGenerator random,
        RetryBudget budget,
        Backoff backoff,
        Duration longestRetryAfter,
        Duration patience,
        Duration tryTimeout,
        Duration deadline,
        Duration keepSettled) {

    static void checkPositive(Duration duration, String what) {
        if (duration.isNegative() || duration.isZero())
            throw new IllegalArgumentException(what + " must be longer than nothing, but is " + duration + ".");
    }
}
