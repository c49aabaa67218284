package dev.semel.examples.demo;

/**
 * What became of the payments on one side.
 *
 * @param wanted payments that customers wanted to make
 * @param requests requests that were sent: first ones, retries, and copies sent at once
 * @param answersLost answers that the network threw away
 * @param requestsCut requests that the network broke off
 * @param timeOuts answers that the customer did not wait for
 * @param absorbed requests that were answered from the record (replays) or told to wait (409)
 * @param charges entries in the ledger
 * @param doubleCharges entries in the ledger beyond the first of their payment
 * @param overcharged payments that were charged more than once
 * @param wrongCents money that the double charges took
 * @param refused payments whose final answer was not a success; none is expected
 * @param unknown payments without a final answer
 * @param missing payments that were answered with success and are not in the ledger; must be 0
 */
public record SideCount(
        long wanted,
        long requests,
        long answersLost,
        long requestsCut,
        long timeOuts,
        long absorbed,
        long charges,
        long doubleCharges,
        long overcharged,
        long wrongCents,
        long refused,
        long unknown,
        long missing) {

    /** Answers that their customer never saw. */
    long answersMissed() {
        return answersLost + timeOuts;
    }

    /** Payments that were answered, well or not. */
    long answered() {
        return wanted - unknown;
    }
}
