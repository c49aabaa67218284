package dev.semel.core.key;

import java.util.Arrays;

/**
 * What a holder leaves with its claim for whoever may have to find out later what became of the operation: bytes that
 * only the caller understands. Kept while the key is held or in doubt, gone with its end. The bytes are shared, not
 * copied.
 */
public final class Memo {
    public static final Memo NONE = new Memo(new byte[0]);

    /** How many bytes a memo may have. */
    public static final int MOST_BYTES = 16 * 1024;

    private final byte[] bytes;

    private Memo(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Memo of(byte[] bytes) {
        if (bytes.length > MOST_BYTES)
            throw new IllegalArgumentException(
                    "A memo has at most " + MOST_BYTES + " bytes, not " + bytes.length + ".");
        return bytes.length == 0 ? NONE : new Memo(bytes);
    }

    public byte[] bytes() {
        return bytes;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Memo that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Memo[" + bytes.length + " bytes]";
    }
}
