package dev.semel.core.key;

import java.util.Arrays;

/**
 * The recorded answer of an operation, as bytes that only the caller understands (for HTTP: status, headers and body).
 * The bytes are shared, not copied: whoever makes an outcome must not change them afterwards.
 *
 * <p><b>Law:</b> the first byte is a small format number, or at least below {@code 0x7f}, as ASCII text is. What is
 * {@link #SEALED} starts with a byte that no plain outcome has, so that both can stand in one store.
 */
public final class Outcome {
    /** The first byte of what is kept sealed. */
    public static final int SEALED = 0xff;

    /** How many bytes in front may stay in the clear. */
    public static final int MOST_CLEAR_BYTES = 255;

    private final byte[] bytes;
    private final int clear;
    private final boolean shredded;

    private Outcome(byte[] bytes, int clear, boolean shredded) {
        if (clear < 0 || clear > Math.min(bytes.length, MOST_CLEAR_BYTES))
            throw new IllegalArgumentException("Of " + bytes.length + " bytes, " + clear + " cannot be in the clear; at"
                    + " most " + MOST_CLEAR_BYTES + " can.");
        this.bytes = bytes;
        this.clear = clear;
        this.shredded = shredded;
    }

    /** An outcome that is secret as a whole. */
    public static Outcome of(byte[] bytes) {
        return of(bytes, 0);
    }

    /**
     * An outcome that is secret in part.
     *
     * @param clear how many bytes in front are no secret: where outcomes are encrypted these are not, and stay readable
     *     when the key is gone
     */
    public static Outcome of(byte[] bytes, int clear) {
        return new Outcome(bytes, clear, false);
    }

    /** What is left of an outcome whose encryption key is gone: that it was recorded, and what was in the clear. */
    public static Outcome shredded(byte[] clear) {
        return new Outcome(clear, clear.length, true);
    }

    /** All bytes; of a shredded outcome, those that were in the clear. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many bytes in front are no secret. */
    public int clear() {
        return clear;
    }

    /** Whether all but the clear bytes are lost for good. The operation did happen all the same. */
    public boolean isShredded() {
        return shredded;
    }

    /** By bytes, whatever part of them is in the clear. What is left of an outcome equals no whole one. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Outcome that && shredded == that.shredded && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Outcome[" + (shredded ? "shredded, " : "") + bytes.length + " bytes]";
    }
}
