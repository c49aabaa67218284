package dev.semel.messaging;

import java.time.Duration;

/**
 * For how long an inbox remembers ids: longer than the latest duplicate can take to come.
 *
 * @param keep for how long ids are kept, at least
 */
public record InboxWindow(Duration keep) {

    /**
     * How late a duplicate can come.
     *
     * @param producerRetries for how long whoever sends a message goes on trying
     * @param brokerRetention for how long the broker keeps a message that nobody has acknowledged, or that may be read again
     * @param deadLetterAge how old a dead letter may be when it is sent again
     */
    public record Latest(Duration producerRetries, Duration brokerRetention, Duration deadLetterAge) {
        public Latest {
            if (producerRetries.isNegative() || brokerRetention.isNegative() || deadLetterAge.isNegative())
                throw new IllegalArgumentException("A duplicate does not come before its message: " + producerRetries
                        + ", " + brokerRetention + ", " + deadLetterAge + ".");
        }

        Duration sum() {
            return producerRetries.plus(brokerRetention).plus(deadLetterAge);
        }
    }

    public InboxWindow {
        if (keep.isNegative() || keep.isZero())
            throw new IllegalArgumentException("Ids are kept for some time, not for " + keep + ".");
    }

    /** As long as it has to be. */
    public static InboxWindow covering(Latest latest) {
        return new InboxWindow(latest.sum());
    }

    /**
     * This window, if it is long enough.
     *
     * @throws IllegalStateException when a duplicate could come after its id was forgotten, and would take effect again
     */
    public InboxWindow requireCovers(Latest latest) {
        if (keep.compareTo(latest.sum()) >= 0) return this;
        throw new IllegalStateException(
                "The inbox keeps ids for " + keep + ", but a duplicate can come after " + latest.sum()
                        + ": the producer tries for " + latest.producerRetries() + ", the broker keeps messages for "
                        + latest.brokerRetention() + ", and dead letters are sent again until they are "
                        + latest.deadLetterAge()
                        + " old. It would take effect again. Keep ids for longer, or make one of these shorter.");
    }
}
