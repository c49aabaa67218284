package dev.semel.bench.storage;

import dev.semel.core.store.KeyStore;
import dev.semel.store.redis.RedisKeyStore;
import dev.semel.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Redis: the memory that its data takes. */
final class RedisMeasured implements MeasuredStore {
    private static final String USED = "used_memory:";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final RedisServer server;
    private @Nullable KeyStore open;
    private long empty;

    RedisMeasured(Path folder) {
        this.server = RedisServer.start(folder.resolve("redis"), "--appendonly", "no");
    }

    @Override
    public KeyStore openEmpty() {
        if (open == null) open = RedisKeyStore.open(server.url() + "?accept-loss=true");
        server.call("FLUSHALL", "SYNC");
        empty = used();
        return open;
    }

    @Override
    public long bytes() {
        return used() - empty;
    }

    /** Outcomes have names of their own, which expire; what is left is one string for each key. */
    @Override
    public long bytesAfterStripping() throws InterruptedException {
        String outcome = "*:o";
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!String.valueOf(server.call(
                        "EVAL",
                        "local n = 0; local c = '0'; repeat local p = redis.call('SCAN', c, 'MATCH', ARGV[1], 'COUNT',"
                                + " 1000); c = p[1]; n = n + #p[2] until c == '0'; return n",
                        "0",
                        outcome))
                .equals("0")) {
            if (System.nanoTime() - deadline > 0)
                throw new IllegalStateException("Outcomes have not expired after " + PATIENCE + ".");
            Thread.sleep(50);
        }
        return bytes();
    }

    private long used() {
        for (String line : String.valueOf(server.call("INFO", "memory")).split("\r\n", -1))
            if (line.startsWith(USED)) return Long.parseLong(line.substring(USED.length()));
        throw new IllegalStateException("Redis does not tell its memory.");
    }

    @Override
    public String how() {
        return "Redis 7.0.15, used_memory; the log on disk comes on top";
    }

    @Override
    public void close() {
        if (open != null) open.close();
        server.close();
    }
}
