package dev.semel.core;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of asking for an {@link Operation}. */
public sealed interface Once<T extends @Nullable Object> {

    /** It ran now; its outcome is durable. */
    record Ran<T extends @Nullable Object>(T value) implements Once<T> {}

    /** It ran before; this is what it returned then. */
    record Replayed<T extends @Nullable Object>(T value, Instant doneAt) implements Once<T> {}

    /**
     * It ended, now or before, with an exception that {@linkplain FailurePolicy#permanent is an outcome}.
     *
     * @param replayed whether it ran before: then the exception is made anew, with its type and message
     */
    record Failed<T extends @Nullable Object>(Exception failure, boolean replayed) implements Once<T> {}

    /** Another attempt runs, and did not end while this one waited. Nothing ran. */
    record InProgress<T extends @Nullable Object>(Duration retryAfter) implements Once<T> {}

    /**
     * Nobody can tell whether it ran. Running it again under another key is not safe.
     *
     * @param retryAfter when it pays to ask again; null when someone has to find out first
     */
    record InDoubt<T extends @Nullable Object>(
            String reason, @Nullable Duration retryAfter) implements Once<T> {}

    /** The key was first used for another request. A mistake of the caller's; nothing ran. */
    record KeyReused<T extends @Nullable Object>() implements Once<T> {}

    /** It ran, long ago; its outcome is no longer kept. */
    record Spent<T extends @Nullable Object>(Instant doneAt) implements Once<T> {}

    /** It ran; its outcome was recorded, but cannot be given back. */
    record NotKept<T extends @Nullable Object>(String reason) implements Once<T> {}

    /** The tenant has used up a quota. Nothing ran. */
    record OverQuota<T extends @Nullable Object>(String quota, Duration retryAfter) implements Once<T> {}
}
