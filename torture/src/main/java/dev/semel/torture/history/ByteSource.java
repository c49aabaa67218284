package dev.semel.torture.history;

import java.nio.charset.StandardCharsets;

/** Reads what a {@link ByteSink} took. */
final class ByteSource {
    private final byte[] bytes;
    private int at;

    ByteSource(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    boolean hasMore() {
        return at < bytes.length;
    }

    int position() {
        return at;
    }

    int next() {
        return bytes[at++];
    }

    long number() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte it = bytes[at++];
            value |= (long) (it & 0x7F) << shift;
            if (it >= 0) return value;
        }
    }

    int whole() {
        return (int) number();
    }

    String text() {
        int length = whole();
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }
}
