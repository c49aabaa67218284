package dev.semel.core;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** What an operation does inside a transaction that is begun and committed for it, and which it must not end itself. */
@FunctionalInterface
public interface TransactionEffect<T extends @Nullable Object, X extends Exception> {
    T run(Attempt attempt, Connection transaction) throws X;
}
