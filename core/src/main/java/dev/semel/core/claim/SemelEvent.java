package dev.semel.core.claim;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.time.Duration;
import java.util.List;

/** Something that happened to a key, told after it happened. */
public sealed interface SemelEvent {

    /** A claim was answered, after waiting so long for an attempt in flight. */
    record Claimed(KeyId id, Claim answer, Duration waited) implements SemelEvent {}

    /** A holder said what became of its operation. */
    record LeaseSettled(KeyId id, long token, Settlement result) implements SemelEvent {}

    /** A lease could not be renewed this time; the holder still runs. */
    record RenewalFailed(KeyId id, long token, RuntimeException cause) implements SemelEvent {}

    /** The holder still runs, but the key is no longer its own: it was silent for too long. */
    record LeaseLost(KeyId id, long token) implements SemelEvent {}

    /** Nobody can tell any more what became of an operation. */
    record FellIntoDoubt(KeyRecord record) implements SemelEvent {}

    /** A doubt is over: the record says what became of its operation, or that it may run again. */
    record DoubtEnded(KeyRecord record, EndedBy by) implements SemelEvent {}

    /** What ended a doubt. */
    enum EndedBy {
        /** The holder got its answer after all. */
        LATE_ANSWER,
        /** The holder found out after all that nothing ran. */
        RELEASED,
        PROBE,
        OPERATOR,
        /** Nobody ended it in time; for claims of holders outside alone. */
        FORGOTTEN
    }

    /** Someone asked what became of an operation in doubt. */
    record Probed(KeyId id, Probe.Finding finding) implements SemelEvent {}

    /** Someone from outside said what became of an operation: ended its doubt, or took it from its holder. */
    record DoubtResolved(KeyRecord record, String by, String reason) implements SemelEvent {}

    /**
     * This process is about to forget a key that it has not settled: nobody will say any more what became of it, so it
     * ends in doubt, or runs again where that was promised.
     *
     * @param word what is left unsaid, as in "its outcome"
     */
    record LeftBehind(KeyId id, long token, String word, String why) implements SemelEvent {}

    /**
     * The sweep came across records that cannot be read. They stay as they are, and claims of their keys fail. Each is told
     * once.
     *
     * @param digests what they stand under in the store, in hexadecimal
     */
    record UnreadableRecords(List<String> digests) implements SemelEvent {}

    /** The background goes on with an operation that was cut off, for the so-manieth attempt. */
    record Resumed(KeyId id, int attempt) implements SemelEvent {}

    /** A background task failed and will be tried again. */
    record BackgroundTaskFailed(String task, RuntimeException cause) implements SemelEvent {}
}
