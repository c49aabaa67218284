package dev.semel.core;

/** What is promised about an effect that happens outside the store. */
public enum Guarantee {
    /** After a crash or a lost answer the key is in doubt; it never runs again by itself. */
    AT_MOST_ONCE,

    /**
     * After a crash or a lost answer the operation runs again with a higher fencing token; for effects that are
     * idempotent on the key themselves, or that check the token.
     */
    AT_LEAST_ONCE
}
