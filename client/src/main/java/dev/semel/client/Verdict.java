package dev.semel.client;

/** What one answer of a server means for the operation. */
sealed interface Verdict {
    /** It speaks about the operation, and is final. */
    record Settles(boolean replayed) implements Verdict {}

    /** To repeat the request as it is would not help. */
    record Refuses(Answer.Refusal reason) implements Verdict {}

    /**
     * To be sent again, with the same key.
     *
     * @param mayHaveRun whether the operation may have run, now or in another attempt. If not, this one try was refused,
     *     which says nothing about those before
     */
    record Again(boolean mayHaveRun) implements Verdict {}
}
