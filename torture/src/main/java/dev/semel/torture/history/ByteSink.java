package dev.semel.torture.history;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow at their end. Numbers take as few as they need. */
final class ByteSink {
    private byte[] bytes = new byte[4096];
    private int size;

    void put(int value) {
        if (size == bytes.length) bytes = Arrays.copyOf(bytes, size * 2);
        bytes[size++] = (byte) value;
    }

    void number(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            put((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        put((int) rest);
    }

    void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        for (byte it : utf8) put(it);
    }

    int size() {
        return size;
    }

    /** What was put so far; starts anew. */
    byte[] take() {
        byte[] taken = Arrays.copyOf(bytes, size);
        size = 0;
        return taken;
    }
}
