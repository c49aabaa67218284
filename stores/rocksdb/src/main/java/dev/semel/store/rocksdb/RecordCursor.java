package dev.semel.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;

/** Reads the parts of a record one after the other. Throws {@link IndexOutOfBoundsException} where the bytes end early. */
final class RecordCursor {
    private static final VarHandle INT64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT16 = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] record;
    private int at;

    RecordCursor(byte[] record) {
        this.record = record;
    }

    static long int64(byte[] record, int at) {
        return (long) INT64.get(record, at);
    }

    static int int16(byte[] record, int at) {
        return (short) INT16.get(record, at) & 0xffff;
    }

    static Instant instant(byte[] record, int at) {
        return Instant.ofEpochSecond(int64(record, at), (int) INT32.get(record, at + Long.BYTES));
    }

    long int64() {
        return int64(record, skip(Long.BYTES));
    }

    int int32() {
        return (int) INT32.get(record, skip(Integer.BYTES));
    }

    int int16() {
        return int16(record, skip(Short.BYTES));
    }

    int int8() {
        return record[skip(Byte.BYTES)] & 0xff;
    }

    Instant instant() {
        return instant(record, skip(Long.BYTES + Integer.BYTES));
    }

    String utf8(int length) {
        return new String(record, skip(length), length, UTF_8);
    }

    String chars(int length) {
        return ByteBuffer.wrap(record, skip(length), length).asCharBuffer().toString();
    }

    byte[] bytes(int length) {
        int start = skip(length);
        return Arrays.copyOfRange(record, start, start + length);
    }

    byte[] rest() {
        return bytes(record.length - at);
    }

    private int skip(int length) {
        int start = Objects.checkFromIndexSize(at, length, record.length);
        at += length;
        return start;
    }
}
