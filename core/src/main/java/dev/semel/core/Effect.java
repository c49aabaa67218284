package dev.semel.core;

import org.jspecify.annotations.Nullable;

/** What an {@link Operation} does to the world. Run at most once per grant of its key. */
@FunctionalInterface
public interface Effect<T extends @Nullable Object, X extends Exception> {
    T run(Attempt attempt) throws X;
}
