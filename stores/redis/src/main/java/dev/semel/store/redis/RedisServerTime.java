package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Instant;
import java.util.List;

/** What time it is for a server. */
final class RedisServerTime {
    private RedisServerTime() {}

    static Instant of(RedisNode node) {
        List<byte[]> time = node.call(false, link -> link.ask(it -> it.time().toCompletableFuture()));
        return RecordCodec.instant(number(time.get(0)) * 1_000_000 + number(time.get(1)));
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, US_ASCII));
    }
}
