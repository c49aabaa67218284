package dev.semel.testkit.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bodies: put together piece by piece, or made up. For one thread. */
final class Bytes {
    private final List<byte[]> pieces = new ArrayList<>();
    private int size;

    void add(byte[] piece) {
        pieces.add(piece);
        size += piece.length;
    }

    int size() {
        return size;
    }

    byte[] all() {
        byte[] all = new byte[size];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        return all;
    }

    /** All 256 values in no order a codec could like; the same for the same size. */
    static byte[] made(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
