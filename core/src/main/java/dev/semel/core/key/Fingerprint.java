package dev.semel.core.key;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A versioned digest of what was asked: one byte that names the algorithm, then the digest. A key that comes back with
 * another fingerprint is a bug of the caller, and is told so.
 */
public final class Fingerprint {
    private static final int MAX_BYTES = 65;

    private final byte[] bytes;

    private Fingerprint(byte[] bytes) {
        if (bytes.length < 2 || bytes.length > MAX_BYTES)
            throw new IllegalArgumentException(
                    "A fingerprint has 2 to " + MAX_BYTES + " bytes, not " + bytes.length + ".");
        this.bytes = bytes;
    }

    public static Fingerprint of(int algorithm, byte[] digest) {
        if (algorithm < 0 || algorithm > 255)
            throw new IllegalArgumentException("An algorithm id is one byte: " + algorithm);
        byte[] bytes = new byte[digest.length + 1];
        bytes[0] = (byte) algorithm;
        System.arraycopy(digest, 0, bytes, 1, digest.length);
        return new Fingerprint(bytes);
    }

    /** Reads back what {@link #bytes()} gave. */
    public static Fingerprint ofBytes(byte[] bytes) {
        return new Fingerprint(bytes.clone());
    }

    public int algorithm() {
        return bytes[0] & 0xff;
    }

    /** Algorithm id and digest, as stores keep them. The caller must not change them. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fingerprint that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
