package dev.semel.torture.fuzz;

/**
 * What one connection sends, and how it ends.
 *
 * @param pieceSize how many bytes leave at a time; 0 for all at once
 * @param answers how many answers are waited for, at most
 */
record FuzzCase(byte[] bytes, int pieceSize, int answers, Ending ending) {

    enum Ending {
        /** Reads its answers, then closes. */
        READ,
        /** Says that nothing more will come, and reads. */
        HALF_CLOSE,
        /** Closes at once. */
        HANG_UP,
        /** Resets at once. */
        RESET,
        /** Speaks HTTP/2, or something like it, and waits for the end. */
        UNTIL_CLOSED
    }
}
