package dev.semel.examples.payments;

import java.time.Duration;

/**
 * How the service treats its clients.
 *
 * @param takes from a request to its answer; the charge is made half-way
 * @param loses the share of charges whose answer is never sent, from 0 to 1: the connection is closed instead
 */
public record ServiceBehaviour(Duration takes, double loses) {
    /** Answers at once, and always. */
    public static final ServiceBehaviour GOOD = new ServiceBehaviour(Duration.ZERO, 0);

    public ServiceBehaviour {
        if (takes.isNegative()) throw new IllegalArgumentException("A request cannot take less than no time.");
        if (!(loses >= 0 && loses <= 1))
            throw new IllegalArgumentException(loses + " is no share: give a number from 0 to 1.");
    }

    /**
     * The service works on a request: once before the charge, and once after it.
     *
     * @return false when the service was stopped meanwhile
     */
    boolean work() {
        try {
            Thread.sleep(takes.dividedBy(2));
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
