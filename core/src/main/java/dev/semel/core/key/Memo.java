package dev.semel.core.key;

import java.util.Arrays;

/**
 * What a holder leaves with its claim for whoever may have to find out later what became of the operation: bytes that
 * only the caller understands. Kept while the key is held or in doubt, gone with its end. The bytes are shared, not
 * copied.
 *
 * <p><b>Law:</b> as with an {@link Outcome}, the first byte is below {@code 0x7f}.
 */
public final class Memo {
    public static final Memo NONE = new Memo(new byte[0]);

    /** What stands with a claim of a holder outside: that this process knows nothing of its operation. */
    public static final Memo ELSEWHERE = new Memo(new byte[] {1});

    /** How many bytes a memo may have. */
    public static final int MOST_BYTES = 16 * 1024;

    /** How many bytes more a memo may have when it is kept sealed. */
    public static final int SEAL_ROOM = 96;

    private final byte[] bytes;

    private Memo(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Memo of(byte[] bytes) {
        if (bytes.length == 0) return NONE;
        boolean sealed = (bytes[0] & 0xff) == Outcome.SEALED;
        int most = sealed ? MOST_BYTES + SEAL_ROOM : MOST_BYTES;
        if (bytes.length > most)
            throw new IllegalArgumentException("A memo has at most " + most + " bytes, not " + bytes.length + ".");
        return new Memo(bytes);
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
