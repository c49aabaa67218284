package dev.semel.http;

/** How a request ended, for whoever counts: by whose answer. */
public enum Ending {
    /** It ran, and this is what the upstream answered. */
    FRESH,
    /** Its key was done: the recorded answer. */
    REPLAYED,
    /** The same, after it waited for the attempt in flight. */
    WAITED,
    /** It had no key, and was passed on. */
    PASSED,
    /** A {@link Problem}. */
    PROBLEM
}
