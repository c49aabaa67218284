package dev.semel.messaging.relay;

import java.time.Duration;

/**
 * How a relay works.
 *
 * @param lease for how long it may send the messages of a shard without a word to the database; after a crash of the relay they wait
 *     so long at most
 * @param batch how many messages of a shard it reads and sends at once, at most
 * @param busyPoll how long after a look that found something it looks again
 * @param idlePoll how long it waits between looks when there is nothing to do, at most
 * @param attempts how often a message is tried that the broker refuses, before it becomes a dead letter; a broker that cannot be
 *     reached does not count
 * @param firstPause after a failure; later ones are longer, up to {@code longestPause}
 */
public record RelaySettings(
        Duration lease,
        int batch,
        Duration busyPoll,
        Duration idlePoll,
        int attempts,
        Duration firstPause,
        Duration longestPause) {

    public static final RelaySettings DEFAULT = new RelaySettings(
            Duration.ofSeconds(30),
            500,
            Duration.ofMillis(5),
            Duration.ofMillis(200),
            10,
            Duration.ofMillis(100),
            Duration.ofSeconds(30));

    public RelaySettings {
        if (lease.compareTo(Duration.ofMillis(200)) < 0)
            throw new IllegalArgumentException("A lease takes at least 200 ms, not " + lease + ".");
        if (batch < 1) throw new IllegalArgumentException("A batch has at least one message, not " + batch + ".");
        if (attempts < 1) throw new IllegalArgumentException("A message is tried at least once, not " + attempts + ".");
        if (busyPoll.isNegative() || busyPoll.isZero() || idlePoll.compareTo(busyPoll) < 0)
            throw new IllegalArgumentException(
                    "Looks are some time apart, and not less when idle: " + busyPoll + ", " + idlePoll + ".");
        if (firstPause.isNegative() || firstPause.isZero() || longestPause.compareTo(firstPause) < 0)
            throw new IllegalArgumentException(
                    "Pauses take some time, and grow: from " + firstPause + " to " + longestPause + ".");
    }

    public RelaySettings withLease(Duration lease) {
        return new RelaySettings(lease, batch, busyPoll, idlePoll, attempts, firstPause, longestPause);
    }

    public RelaySettings withBatch(int batch) {
        return new RelaySettings(lease, batch, busyPoll, idlePoll, attempts, firstPause, longestPause);
    }

    public RelaySettings withPolls(Duration busyPoll, Duration idlePoll) {
        return new RelaySettings(lease, batch, busyPoll, idlePoll, attempts, firstPause, longestPause);
    }

    public RelaySettings withAttempts(int attempts) {
        return new RelaySettings(lease, batch, busyPoll, idlePoll, attempts, firstPause, longestPause);
    }

    public RelaySettings withPauses(Duration firstPause, Duration longestPause) {
        return new RelaySettings(lease, batch, busyPoll, idlePoll, attempts, firstPause, longestPause);
    }

    /** How long the n-th pause in a row takes. */
    Duration pause(int n) {
        Duration pause = firstPause.multipliedBy(1L << Math.min(n, 20));
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }
}
