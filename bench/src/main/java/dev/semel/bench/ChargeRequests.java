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
    private static final AsciiString REPLAYED = AsciiString.cached("Idempotent-Replayed");
    private static final String NO_KEY_YET = "0".repeat(16);
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final String BODY = """
        {"amount":1999,"currency":"eur","customer":"cus_7f3a9b21","description":"Order 10442, two items",\
        "capture":true,"metadata":{"order":"10442","channel":"web","locale":"de-AT"}}\
        """;

    private final byte[] request;
    private final int keyAt;
    private final long distinct;
    private final boolean replays;
    private long sent;

    private ChargeRequests(String keyHeader, long distinct, boolean replays) {
        String head = """
            POST /v1/charges HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer sk_bench_4eC39HqLyjWDarjtT1zdp7dc\r
            Content-Type: application/json\r
            Content-Length: %d\r
            %s\r
            """.formatted(BODY.length(), keyHeader);
        this.request = (head + BODY).getBytes(US_ASCII);
        this.keyAt = head.indexOf(NO_KEY_YET);
        this.distinct = distinct;
        this.replays = replays;
    }

    /** No key: the gateway has nothing to do but forward. */
    public static ChargeRequests passThrough() {
        return new ChargeRequests("", 1, false);
    }

    /** A key that was never used before with every request. */
    public static ChargeRequests freshKeys() {
        return new ChargeRequests(keyHeader(), Long.MAX_VALUE, false);
    }

    /** A few keys in turn. Each must have been used once before what is measured. */
    public static ChargeRequests replays(int keys) {
        return new ChargeRequests(keyHeader(), keys, true);
    }

    private static String keyHeader() {
        return "Idempotency-Key: " + UUID.randomUUID() + "-" + NO_KEY_YET + "\r\n";
    }

    @Override
    public ByteBuf next(ByteBufAllocator allocator) {
        ByteBuf buffer = allocator.directBuffer(request.length).writeBytes(request);
        if (keyAt >= 0) writeKey(buffer, sent % distinct);
        sent++;
        return buffer;
    }

    private void writeKey(ByteBuf buffer, long number) {
        for (int i = NO_KEY_YET.length() - 1; number != 0; i--, number >>>= 4)
            buffer.setByte(keyAt + i, HEX[(int) number & 15]);
    }

    @Override
    public boolean isExpected(HttpResponse response) {
        return response.status().code() == 200 && response.headers().contains(REPLAYED) == replays;
    }
}
