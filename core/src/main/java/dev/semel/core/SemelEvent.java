package dev.semel.core;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.time.Duration;

/** Something that happened to a key, told after it happened. */
public sealed interface SemelEvent {

    /** A claim was answered, after waiting so long for an attempt in flight. */
    record Claimed(KeyId id, Claim answer, Duration waited) implements SemelEvent {}

    /** A holder said what became of its operation. */
    record LeaseSettled(KeyId id, long token, Settled result) implements SemelEvent {}

    /** A lease could not be renewed this time; the holder still runs. */
    record RenewalFailed(KeyId id, long token, RuntimeException cause) implements SemelEvent {}

    /** The holder still runs, but the key is no longer its own: it was silent for too long. */
    record LeaseLost(KeyId id, long token) implements SemelEvent {}

    /** Nobody can tell any more what became of an operation. */
    record FellIntoDoubt(KeyRecord record) implements SemelEvent {}

    /** Someone asked what became of an operation in doubt. */
    record Probed(KeyId id, Probe.Finding finding) implements SemelEvent {}

    /** Someone from outside said what became of an operation: ended its doubt, or took it from its holder. */
    record DoubtResolved(KeyRecord record, String by, String reason) implements SemelEvent {}

    /** A background task failed and will be tried again. */
    record BackgroundTaskFailed(String task, RuntimeException cause) implements SemelEvent {}
}
