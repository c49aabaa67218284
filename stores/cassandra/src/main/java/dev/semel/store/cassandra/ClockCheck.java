package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/**
 * Compares this machine's clock with a node's when a store is opened. A client whose clock is wrong by more than was declared
 * would take live holders for dead, and forget keys that still count: better that it does not start.
 */
final class ClockCheck {
    /** A node's time ids may run ahead of its clock by this much. */
    private static final Duration IMPRECISION = Duration.ofMillis(100);

    private ClockCheck() {}

    static void run(CqlSession session, Duration skew) {
        Instant before = Instant.now();
        Row row = Objects.requireNonNull(
                session.execute("select now() from system.local").one());
        Instant after = Instant.now();
        UUID id = Objects.requireNonNull(row.getUuid(0));
        require(before, Instant.ofEpochMilli(Uuids.unixTimestamp(id)), after, skew);
    }

    /** @throws IllegalStateException when the node's clock cannot have been within the skew between these two moments */
    static void require(Instant before, Instant node, Instant after, Duration skew) {
        Duration allowed = skew.plus(IMPRECISION);
        Duration behind = Duration.between(node, before);
        Duration ahead = Duration.between(after, node);
        if (behind.compareTo(allowed) <= 0 && ahead.compareTo(allowed) <= 0) return;
        Duration off = behind.compareTo(ahead) > 0 ? behind : ahead;
        throw new IllegalStateException("The clock of this machine and that of a Cassandra node differ by "
                + off.toSeconds() + " s, and the store was told that they differ by no more than " + skew.toMillis()
                + " ms. Set the clocks right (NTP), or say how far apart they may be: ?skew=…");
    }
}
