package dev.semel.broker.webhook.delivery;

import java.time.Duration;

/**
 * How webhooks are sent.
 *
 * @param plainAllowed whether to URLs that are not https, too
 * @param atOnce requests under way, at most
 * @param atOncePerEndpoint of these, to one endpoint
 * @param idle how long it waits between looks when there is nothing to do
 * @param keep for how long what was delivered and every attempt are remembered
 * @param keepDead for how long dead deliveries are
 */
public record SenderSettings(
        boolean plainAllowed, int atOnce, int atOncePerEndpoint, Duration idle, Duration keep, Duration keepDead) {
    public static final SenderSettings DEFAULT =
            new SenderSettings(false, 512, 16, Duration.ofMillis(500), Duration.ofDays(7), Duration.ofDays(30));

    public SenderSettings {
        if (atOnce < 1 || atOncePerEndpoint < 1)
            throw new IllegalArgumentException("At least one request is under way at a time.");
        if (idle.isNegative() || idle.isZero()) throw new IllegalArgumentException("Looks are some time apart.");
        if (keep.toDays() < 1 || keepDead.compareTo(keep) < 0)
            throw new IllegalArgumentException(
                    "Deliveries are kept for a day at least, and dead ones for as long at least: not " + keep + " and "
                            + keepDead + ".");
    }

    public SenderSettings allowingPlain(boolean plain) {
        return new SenderSettings(plain, atOnce, atOncePerEndpoint, idle, keep, keepDead);
    }

    public SenderSettings withAtOnce(int atOnce, int perEndpoint) {
        return new SenderSettings(plainAllowed, atOnce, perEndpoint, idle, keep, keepDead);
    }

    public SenderSettings withIdle(Duration idle) {
        return new SenderSettings(plainAllowed, atOnce, atOncePerEndpoint, idle, keep, keepDead);
    }

    public SenderSettings keeping(Duration keep, Duration keepDead) {
        return new SenderSettings(plainAllowed, atOnce, atOncePerEndpoint, idle, keep, keepDead);
    }
}
