package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Next;
import dev.semel.testkit.StoreScene;
import dev.semel.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a key takes of the server's memory: {@code used_memory} before and after 20,000 of them. docs/stores/redis.md has the figures. */
class BytesPerKeyTest {
    private static final int KEYS = 20_000;
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration TOMBSTONE = Duration.ofDays(30);

    @Test
    void a_key_takes_no_more_memory_than_the_docs_say() throws Exception {
        try (Folder folder = Folder.inTarget();
                RedisServer server = RedisServer.start(folder.path(), "--appendonly", "no");
                RedisKeyStore store =
                        RedisKeyStore.open(server.url() + "?accept-loss=true", RedisContractTest.LONG_TIMEOUTS)) {
            long empty = memory(server);
            String[] names = new String[KEYS];
            KeyRecord[] held = new KeyRecord[KEYS];
            StoreScene.together(64, caller -> {
                for (int i = caller; i < KEYS; i += 64) {
                    names[i] = UUID.randomUUID().toString();
                    held[i] = Keys.insert(store, KeyId.of("", "POST /v1/charges", names[i]));
                }
                return 0;
            });
            long claimed = memory(server);
            byte[] body = new byte[1024];
            new Random(1).nextBytes(body);
            StoreScene.together(64, caller -> {
                for (int i = caller; i < KEYS; i += 64)
                    Keys.replace(store, held[i], new Next.Done(Outcome.of(body), RETENTION, TOMBSTONE));
                return 0;
            });
            long completed = memory(server);
            server.age(RETENTION.plusSeconds(1));
            long spent = memory(server);
            long[] each = {(claimed - empty) / KEYS, (completed - empty) / KEYS, (spent - empty) / KEYS};
            System.out.println(
                    "bytes a key: held " + each[0] + ", done with 1 KiB " + each[1] + ", tombstone " + each[2]);
            assertTrue(each[0] < 400 && each[1] < 2000 && each[2] < 450, "more than the docs say");
        }
    }

    /** Without what one connection happens to use just now. */
    private static long memory(RedisServer server) {
        for (String line : String.valueOf(server.call("INFO", "memory")).split("\r\n"))
            if (line.startsWith("used_memory:")) return Long.parseLong(line.substring(line.indexOf(':') + 1));
        throw new IllegalStateException("Redis does not tell its memory.");
    }
}
