package dev.semel.examples.demo.messages;

import java.time.Duration;

/**
 * How the demo stands, or how it ended.
 *
 * @param kills how often the shops were killed
 * @param crashes how often the billing services crashed
 * @param outages how often the brokers were away
 * @param blackouts how often the brokers lost all answers for a while
 */
public record MessagesSummary(
        Duration elapsed,
        MessagesCount with,
        MessagesCount bare,
        int kills,
        int crashes,
        int outages,
        int blackouts,
        boolean shopsUp,
        boolean billingUp,
        boolean brokersUp,
        boolean answersPass) {

    /** Whether there were orders with Semel, and each has one invoice. */
    public boolean isExactlyOnce() {
        return with.orders() > 0 && with.isRight() && with.invoices() == with.orders();
    }
}
