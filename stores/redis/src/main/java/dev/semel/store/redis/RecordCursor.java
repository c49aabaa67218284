package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads what a {@link RecordWriter} wrote. Whatever reaches beyond the end is damage. */
final class RecordCursor {
    private final byte[] bytes;
    private final int end;
    private int at;

    RecordCursor(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    int at() {
        return at;
    }

    int int8() {
        if (at >= end) throw new IllegalArgumentException("it ends too early");
        return bytes[at++] & 0xff;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = int8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) return (value >>> 1) ^ -(value & 1);
        }
        throw new IllegalArgumentException("a number has no end");
    }

    byte[] bytes() {
        long length = number();
        if (length < 0 || length > end - at) throw new IllegalArgumentException("a part has " + length + " bytes");
        byte[] part = Arrays.copyOfRange(bytes, at, at + (int) length);
        at += (int) length;
        return part;
    }

    String text() {
        return new String(bytes(), UTF_8);
    }

    static long int64(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getLong(at);
    }
}
