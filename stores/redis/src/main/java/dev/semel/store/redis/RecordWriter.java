package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Puts the parts of a record one after the other. Numbers take as few bytes as they need. */
final class RecordWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    RecordWriter int8(int value) {
        out.write(value);
        return this;
    }

    /** Seven bits a byte, the lowest first; small negative numbers are short too. */
    RecordWriter number(long value) {
        long left = (value << 1) ^ (value >> 63);
        for (; (left & ~0x7fL) != 0; left >>>= 7) out.write((int) left | 0x80);
        out.write((int) left);
        return this;
    }

    /** With its length before it. */
    RecordWriter bytes(byte[] bytes) {
        number(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    RecordWriter text(String text) {
        return bytes(text.getBytes(UTF_8));
    }

    RecordWriter int64(long value) {
        out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] toBytes() {
        return out.toByteArray();
    }
}
