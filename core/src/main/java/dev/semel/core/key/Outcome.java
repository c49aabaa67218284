package dev.semel.core.key;

import java.util.Arrays;

/**
 * The recorded answer of an operation, as bytes that only the caller understands (for HTTP: status, headers and body).
 * The bytes are shared, not copied: whoever makes an outcome must not change them afterwards.
 */
public final class Outcome {
    private final byte[] bytes;

    private Outcome(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Outcome of(byte[] bytes) {
        return new Outcome(bytes);
    }

    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Outcome that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Outcome[" + bytes.length + " bytes]";
    }
}
