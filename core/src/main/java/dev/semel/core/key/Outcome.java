package dev.semel.core.key;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The recorded answer of an operation: a {@link Format}, and bytes that only those who know the format understand. The
 * bytes are shared, not copied: whoever makes an outcome must not change them afterwards.
 */
public final class Outcome {
    /** The first byte of what is kept sealed. No format has this number, so that both can stand in one store. */
    public static final int SEALED = 0xff;

    /** How many bytes in front may stay in the clear. */
    public static final int MOST_CLEAR_BYTES = 255;

    /** The first byte of what is left of an outcome. */
    private static final byte CLEAR_PART = 0x7e;

    private final byte[] readable;
    private final int clear;
    private final boolean shredded;

    /** All formats of outcomes. A number, once given, never changes its meaning: outcomes outlive programs. */
    public enum Format {
        /** A response of HTTP. */
        RESPONSE(1),
        /** A JSON value, as it was given through the service API. */
        JSON(2),
        /** The versions of a resource that were let through. */
        WRITE_ORDER(3),
        /** What an {@code Operation} returned, by its codec. */
        VALUE(4),
        /** The exception that an {@code Operation} ended with. */
        FAILURE(5),
        /** What Semel itself keeps in a store, such as secrets of a fleet. */
        INTERNAL(6),
        /** Bytes of the caller's, of whatever kind. */
        BYTES(7);

        private final byte number;

        Format(int number) {
            this.number = (byte) number;
        }

        /** What an outcome of this format begins with. */
        public byte number() {
            return number;
        }

        /** @return null when no format has this number */
        public static @Nullable Format of(byte number) {
            for (Format format : values()) if (format.number == number) return format;
            return null;
        }
    }

    private Outcome(byte[] readable, int clear, boolean shredded) {
        if (clear < 0 || clear > Math.min(readable.length, MOST_CLEAR_BYTES))
            throw new IllegalArgumentException("Of " + readable.length + " bytes, " + clear
                    + " cannot be in the clear; at most " + MOST_CLEAR_BYTES + " can.");
        this.readable = readable;
        this.clear = clear;
        this.shredded = shredded;
    }

    /** Any bytes of the caller's, secret as a whole. */
    public static Outcome of(byte[] payload) {
        return of(Format.BYTES, payload, 0);
    }

    /**
     * An outcome that is secret in part.
     *
     * @param clear how many bytes of the payload are no secret: where outcomes are encrypted these are not, and stay
     *     readable when the key is gone. That it has this format is no secret either
     */
    public static Outcome of(Format format, byte[] payload, int clear) {
        byte[] encoded = new byte[payload.length + 1];
        encoded[0] = format.number();
        System.arraycopy(payload, 0, encoded, 1, payload.length);
        return new Outcome(encoded, clear + 1, false);
    }

    /**
     * The same for someone who has written the number of the format in front already.
     *
     * @param clear how many bytes, with that number, are no secret
     */
    public static Outcome ofEncoded(byte[] encoded, int clear) {
        if (encoded.length == 0 || Format.of(encoded[0]) == null)
            throw new IllegalArgumentException("An outcome begins with the number of its format.");
        return new Outcome(encoded, Math.max(1, clear), false);
    }

    /** What a store has read back, whatever it is: sealed, or of a format that only a later program knows. */
    public static Outcome ofStored(byte[] encoded) {
        return ofStored(encoded, 0);
    }

    /** The same, with the part that is known to be no secret. */
    public static Outcome ofStored(byte[] encoded, int clear) {
        boolean left = encoded.length > 0 && encoded[0] == CLEAR_PART;
        return left ? shredded(Arrays.copyOfRange(encoded, 1, encoded.length)) : new Outcome(encoded, clear, false);
    }

    /** What is left of an outcome whose encryption key is gone: that it was recorded, and what was in the clear. */
    public static Outcome shredded(byte[] clear) {
        return new Outcome(clear, clear.length, true);
    }

    /** The same outcome with no more than its clear part: for a store that cannot keep the rest. */
    public Outcome clearPart() {
        return shredded(Arrays.copyOf(readable, clear));
    }

    /** Null for what is sealed, and for formats that this program does not know. */
    public @Nullable Format format() {
        return readable.length == 0 ? null : Format.of(readable[0]);
    }

    /** The number of its format, and its payload. Of a shredded outcome, as much as was in the clear. */
    public byte[] readable() {
        return readable;
    }

    /** As stores keep it, and as {@link #ofStored} reads it back. */
    public byte[] encoded() {
        if (!shredded) return readable;
        byte[] marked = new byte[readable.length + 1];
        marked[0] = CLEAR_PART;
        System.arraycopy(readable, 0, marked, 1, readable.length);
        return marked;
    }

    /** What follows the number of the format. */
    public byte[] payload() {
        return readable.length == 0 ? readable : Arrays.copyOfRange(readable, 1, readable.length);
    }

    /** How many bytes in front are no secret. */
    public int clear() {
        return clear;
    }

    /** Whether all but the clear bytes are lost for good, or were never kept. The operation did happen all the same. */
    public boolean isShredded() {
        return shredded;
    }

    /** By bytes, whatever part of them is in the clear. What is left of an outcome equals no whole one. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Outcome that && shredded == that.shredded && Arrays.equals(readable, that.readable);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(readable);
    }

    @Override
    public String toString() {
        Format format = format();
        return "Outcome[" + (shredded ? "shredded, " : "") + (format == null ? "" : format + ", ") + readable.length
                + " bytes]";
    }
}
