package dev.semel.http;

/** Whether requests of a route carry a key. */
public enum KeyMode {
    /** A request without a key is refused. */
    REQUIRED,
    /** A request without a key passes unguarded. */
    OPTIONAL,
    /** Every request passes unguarded. */
    OFF
}
