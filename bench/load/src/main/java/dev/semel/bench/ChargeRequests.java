package dev.semel.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.AsciiString;
import java.util.UUID;

/**
 * The three kinds of traffic that a gateway sees, as the same small POST: without a key, with a new key each time, and
 * with keys from a fixed set. The answer must be a 200, and be marked as a replay exactly when one is expected: so a
 * gateway that forgets, or one that ignores the key, cannot look fast.
 */
public final class ChargeRequests implements RequestSource {
    private static final String PATH = "/v1/charges";
    private static final AsciiString REPLAYED = AsciiString.cached("Idempotent-Replayed");
    private static final String KEY_PLACEHOLDER = "0".repeat(16);
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final String BODY = """
        {"amount":1999,"currency":"eur","customer":"cus_7f3a9b21","description":"Order 10442, two items",\
        "capture":true,"metadata":{"order":"10442","channel":"web","locale":"de-AT"}}\
        """;

    private final byte[] request;
    private final int keyAt;
    private final long distinctKeys;
    private final boolean expectsReplays;
    private final boolean marksReplays;
    private long sent;

    private ChargeRequests(
            String path, String keyHeader, long distinctKeys, boolean expectsReplays, boolean marksReplays) {
        String head = """
            POST %s HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer sk_bench_4eC39HqLyjWDarjtT1zdp7dc\r
            Content-Type: application/json\r
            Content-Length: %d\r
            %s\r
            """.formatted(path, BODY.length(), keyHeader);
        this.request = (head + BODY).getBytes(US_ASCII);
        this.keyAt = head.indexOf(KEY_PLACEHOLDER);
        this.distinctKeys = distinctKeys;
        this.expectsReplays = expectsReplays;
        this.marksReplays = marksReplays;
    }

    /** No key: the gateway has nothing to do but forward. */
    public static ChargeRequests passThrough() {
        return new ChargeRequests(PATH, "", 1, false, true);
    }

    /** A key that was never used before with every request. */
    public static ChargeRequests freshKeys() {
        return new ChargeRequests(PATH, keyHeader(), Long.MAX_VALUE, false, true);
    }

    /** A few keys in turn. Each must have been used once before what is measured. */
    public static ChargeRequests replays(int keys) {
        return new ChargeRequests(PATH, keyHeader(), keys, true, true);
    }

    /** The same for a server at another path that does not mark replays. */
    static ChargeRequests unmarked(String path, long distinctKeys) {
        return new ChargeRequests(path, keyHeader(), distinctKeys, false, false);
    }

    private static String keyHeader() {
        return "Idempotency-Key: " + UUID.randomUUID() + "-" + KEY_PLACEHOLDER + "\r\n";
    }

    @Override
    public ByteBuf next(ByteBufAllocator allocator) {
        ByteBuf buffer = allocator.directBuffer(request.length).writeBytes(request);
        if (keyAt >= 0) writeKey(buffer, sent % distinctKeys);
        sent++;
        return buffer;
    }

    private void writeKey(ByteBuf buffer, long number) {
        for (int i = KEY_PLACEHOLDER.length() - 1; number != 0; i--, number >>>= 4)
            buffer.setByte(keyAt + i, HEX[(int) number & 15]);
    }

    @Override
    public boolean isExpected(HttpResponse response) {
        if (response.status().code() != 200) return false;
        return !marksReplays || response.headers().contains(REPLAYED) == expectsReplays;
    }
}
