package dev.semel.http;

/** What the status of an answer says about the operation. */
public enum Verdict {
    /** It ran, or was refused for good: this answer is its outcome. */
    STORE,
    /** It did not run: the key is free for another attempt. */
    RELEASE,
    /** Nobody can tell. */
    DOUBT
}
