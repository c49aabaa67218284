package dev.semel.core.key;

import java.util.Arrays;

/**
 * What a holder leaves with its claim for whoever may have to find out later what became of the operation: bytes that
 * only the caller understands. Kept while the key is held or in doubt, gone with its end.
 */
public final class Memo {
    public static final Memo NONE = new Memo(new byte[0]);

    /** How many bytes a memo may have. */
    public static final int MOST_BYTES = 16 * 1024;

    /** How many bytes more a memo may have when it is kept sealed. */
    public static final int SEAL_ROOM = 96;

    /** In front of every memo that is not sealed, so that the two are told apart whatever the caller's bytes are. */
    private static final byte PLAIN = 1;

    private final byte[] encoded;

    private Memo(byte[] encoded) {
        this.encoded = encoded;
    }

    public static Memo of(byte[] payload) {
        if (payload.length == 0) return NONE;
        if (payload.length > MOST_BYTES)
            throw new IllegalArgumentException(
                    "A memo has at most " + MOST_BYTES + " bytes, not " + payload.length + ".");
        byte[] encoded = new byte[payload.length + 1];
        encoded[0] = PLAIN;
        System.arraycopy(payload, 0, encoded, 1, payload.length);
        return new Memo(encoded);
    }

    /** What {@link #encoded()} gave, or the same when it was sealed. */
    public static Memo ofStored(byte[] encoded) {
        if (encoded.length == 0) return NONE;
        if (encoded.length > 1 + MOST_BYTES + SEAL_ROOM)
            throw new IllegalArgumentException("No memo has " + encoded.length + " bytes.");
        return new Memo(encoded);
    }

    /** The caller's bytes; none when the memo is {@linkplain #isSealed sealed}. */
    public byte[] payload() {
        return encoded.length == 0 || isSealed() ? NONE.encoded : Arrays.copyOfRange(encoded, 1, encoded.length);
    }

    /** As stores keep it. The caller must not change the bytes. */
    public byte[] encoded() {
        return encoded;
    }

    public boolean isEmpty() {
        return encoded.length == 0;
    }

    /** Whether it is sealed with a key that nobody here has. */
    public boolean isSealed() {
        return encoded.length > 0 && (encoded[0] & 0xff) == Outcome.SEALED;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Memo that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return "Memo[" + encoded.length + " bytes]";
    }
}
