package dev.semel.core.key;

/** What is promised about an effect that happens outside the store. */
public enum Guarantee {
    /** After a crash or a lost answer the key is in doubt; it never runs again by itself. */
    AT_MOST_ONCE,

    /**
     * After a crash or a lost answer the operation runs again with a higher fencing token; for effects that are
     * idempotent on the key themselves, or that check the token.
     */
    AT_LEAST_ONCE,

    /**
     * Claim, effect and outcome commit in one transaction of the caller's own: exactly once, also across crashes. Never
     * that of a holder in a store, for until the commit there is nothing to be held.
     */
    JOINED;

    /** What holds where two callers of one key were promised different things: only what both agreed to may run again. */
    public Guarantee and(Guarantee other) {
        return this == AT_LEAST_ONCE && other == AT_LEAST_ONCE ? AT_LEAST_ONCE : AT_MOST_ONCE;
    }
}
