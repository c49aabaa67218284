package dev.semel.http;

import org.jspecify.annotations.Nullable;

/** What the head of a request says about how to take it in. */
public sealed interface Admission {

    /** Nothing to guard: pass it on as it comes. */
    record Pass() implements Admission {}

    /**
     * Buffer the whole request, then ask the guard.
     *
     * @param key the key; null when the head has none, or none yet
     */
    record Buffer(@Nullable String key) implements Admission {}

    /** Answer this, and send nothing on. */
    record Refused(HttpResponse answer) implements Admission {}
}
