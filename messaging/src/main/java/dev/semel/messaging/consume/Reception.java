package dev.semel.messaging.consume;

/** What became of a message that a consumer got. */
public sealed interface Reception {

    /**
     * Its effect is committed: acknowledge it.
     *
     * @param first whether it took effect now; it had before if not
     */
    record Done(boolean first) implements Reception {}

    /** The handler has failed, and nothing of it is kept. To be tried again. */
    record Failed(Throwable failure) implements Reception {}

    /** It will never be handled: a dead letter. */
    record Rejected(String reason) implements Reception {}

    /** It was not tried: another one of its key, ahead of it, is not done. */
    record Behind() implements Reception {}

    /**
     * The database could not be reached, or did not say whether it has committed. To be tried again for as long as it takes: if it
     * took effect, it will not again.
     */
    record Away(String reason) implements Reception {}
}
