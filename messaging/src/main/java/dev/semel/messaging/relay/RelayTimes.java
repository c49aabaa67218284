package dev.semel.messaging.relay;

import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How long messages have been waiting. */
final class RelayTimes {
    private RelayTimes() {}

    /** By this machine's clock, which may differ from the database's. */
    static Optional<Duration> oldest(List<OutboxRow> rows) {
        return rows.stream()
                .map(row -> row.message().appendedAt())
                .min(Comparator.naturalOrder())
                .map(appended -> Duration.between(appended, Instant.now()))
                .map(age -> age.isNegative() ? Duration.ZERO : age);
    }
}
