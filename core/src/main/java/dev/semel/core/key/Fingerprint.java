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

    /** All algorithms. A number, once given, never changes its meaning: fingerprints outlive programs. */
    public enum Algorithm {
        /** Of what Semel itself keeps in a store, which nobody asks for. */
        NONE(0),
        /** Of a request of HTTP: method, route or path, query, content type and body. */
        REQUEST(1),
        /** Of a payload that came through the service API: SHA-256 of its canonical form. */
        PAYLOAD(2),
        /** As a client of the service API gave it. */
        GIVEN(3),
        /** Of what an {@code Operation} was asked for: SHA-256 of what its codec makes of it. */
        VALUE(4);

        private final byte number;

        Algorithm(int number) {
            this.number = (byte) number;
        }
    }

    private Fingerprint(byte[] bytes) {
        if (bytes.length < 2 || bytes.length > MAX_BYTES)
            throw new IllegalArgumentException(
                    "A fingerprint has 2 to " + MAX_BYTES + " bytes, not " + bytes.length + ".");
        this.bytes = bytes;
    }

    public static Fingerprint of(Algorithm algorithm, byte[] digest) {
        byte[] bytes = new byte[digest.length + 1];
        bytes[0] = algorithm.number;
        System.arraycopy(digest, 0, bytes, 1, digest.length);
        return new Fingerprint(bytes);
    }

    /** Of what Semel itself keeps in a store. */
    public static Fingerprint none() {
        return of(Algorithm.NONE, new byte[] {0});
    }

    /** Reads back what {@link #bytes()} gave. */
    public static Fingerprint ofBytes(byte[] bytes) {
        return new Fingerprint(bytes.clone());
    }

    /** The number of its algorithm. */
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
