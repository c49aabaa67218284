package dev.semel.examples.demo;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A payment, and all that is decided about it before anybody sends it, so that it can be paid twice in the same way.
 *
 * @param at when the customer pays, from the start of the demo
 * @param copies how often the button is pressed at once; 1 for most
 * @param seed of the pauses between the attempts
 */
record Order(Payment payment, Duration at, int copies, long seed) {
    private static final int CUSTOMERS = 500;
    private static final double DOUBLE_CLICK_SHARE = 0.08;
    private static final double MEAN_PAUSE_MILLIS = 125;

    /** The order that comes after one at this time. */
    static Order after(Duration last, SplittableRandom random) {
        Payment payment = Payment.of("customer-" + (1 + random.nextInt(CUSTOMERS)), random);
        long pause = Math.round(-MEAN_PAUSE_MILLIS * Math.log(1 - random.nextDouble()));
        int copies = random.nextDouble() < DOUBLE_CLICK_SHARE ? 3 + random.nextInt(3) : 1;
        return new Order(payment, last.plusMillis(pause), copies, random.nextLong());
    }
}
