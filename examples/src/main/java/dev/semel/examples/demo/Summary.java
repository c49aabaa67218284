package dev.semel.examples.demo;

import java.time.Duration;

/**
 * How the demo stands, or how it ended.
 *
 * @param payments payments that got their final answer
 * @param unfinished payments that were begun and have no final answer yet
 * @param refused payments whose final answer was not a success; none is expected
 * @param requests requests that were sent, first ones and duplicates
 * @param duplicates requests beyond the first of their payment: retries, and copies sent at once
 * @param answersLost answers that the network threw away
 * @param requestsCut requests that the network broke off
 * @param timeOuts answers that the client did not wait for
 * @param absorbed duplicates that were answered from memory (replays) or told to wait (409)
 * @param charges entries in the ledger
 * @param repeats requests that came through with a key that had come through before: each would have charged once more
 * @param doubleCharges entries in the ledger beyond the first of their key; must be 0
 * @param missing payments that were answered with success and are not in the ledger; must be 0
 */
public record Summary(
        Duration elapsed,
        int shoppers,
        long payments,
        long unfinished,
        long refused,
        long requests,
        long duplicates,
        long answersLost,
        long requestsCut,
        long timeOuts,
        long absorbed,
        long charges,
        long repeats,
        long doubleCharges,
        long missing) {

    /** Whether there were payments, none was charged twice, and none was answered as paid without a charge. */
    public boolean isExactlyOnce() {
        return payments > 0 && doubleCharges == 0 && missing == 0;
    }
}
