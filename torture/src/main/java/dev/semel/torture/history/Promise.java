package dev.semel.torture.history;

/** What the route of a key promises, and whether a probe can end its doubts. */
public enum Promise {
    AT_MOST_ONCE,
    AT_MOST_ONCE_PROBED,
    AT_LEAST_ONCE,
    /** Effect and outcome in one transaction of the caller's own database. */
    JOINED
}
