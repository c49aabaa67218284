package dev.semel.core.store;

import org.jspecify.annotations.Nullable;

/**
 * The store could not answer. Says which of the two that means, because they call for different care: nothing was
 * written, or nobody can tell yet. A write of unknown fate is read back before anything is built on it.
 */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is known about the write, if it was one. */
    public enum Applied {
        NO,
        UNKNOWN
    }

    private final Applied applied;

    private StoreException(Applied applied, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.applied = applied;
    }

    /** Nothing was written, and nothing will be: trying again is safe. */
    public static StoreException notApplied(String message, @Nullable Throwable cause) {
        return new StoreException(Applied.NO, message, cause);
    }

    /** The write was sent or begun, and its answer is lost. */
    public static StoreException unknown(String message, @Nullable Throwable cause) {
        return new StoreException(Applied.UNKNOWN, message, cause);
    }

    public Applied applied() {
        return applied;
    }
}
