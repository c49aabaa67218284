package dev.semel.http.tenant;

/**
 * Where signing keys come from. As long as its content does not change it answers with the same object, so that what
 * was verified with a set of keys can be told from what was not. Safe for use by any thread; may block.
 */
interface Jwks {

    /** The last good set of keys. */
    SigningKeys current() throws KeysUnavailableException;

    /**
     * The keys, looked for again because one is missing. The same object when there is nothing new, or it was
     * looked for only just now.
     *
     * @throws KeysUnavailableException when looking again failed, so that nobody can tell
     */
    SigningKeys lookedForAgain() throws KeysUnavailableException;
}
