package dev.semel.store.redis;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.testkit.redis.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** How many keys a second are claimed and completed, and how many replayed, by so many callers; not a test. */
final class PairBench {
    private static final int CALLERS = 256;
    private static final long NANOS = 4_000_000_000L;

    private PairBench() {}

    public static void main(String[] arguments) throws Exception {
        for (String fsync : new String[] {"always", "no"}) {
            try (Folder folder = Folder.inTarget();
                    RedisServer server = RedisServer.start(folder.path(), "--appendfsync", fsync)) {
                ClientResources plain = ClientResources.create();
                try (RedisKeyStore store = RedisKeyStore.open(server.url());
                        RedisKeyStore unbatched = RedisKeyStore.open(server.url(), RedisOptions.DEFAULT, plain)) {
                    measure("warm-up", store);
                    measure("appendfsync " + fsync + ", one write for many commands", store);
                    measure("appendfsync " + fsync + ", one write each", unbatched);
                } finally {
                    plain.shutdown();
                }
            }
        }
    }

    private static void measure(String what, RedisKeyStore store) throws InterruptedException {
        long pairs = perSecond((caller, i) -> {
            KeyId id = Keys.id(what + caller + "-" + i);
            KeyRecord held = Keys.insert(store, id);
            Keys.replace(store, held, Keys.done("x".repeat(200)));
        });
        Keys.insert(store, Keys.id(what));
        long replays = perSecond((caller, i) -> store.insert(Keys.claim(Keys.id(what))));
        System.out.println(what + ": " + pairs + " claimed and completed a second, " + replays + " replayed");
    }

    private interface Step {
        void run(int caller, int i);
    }

    private static long perSecond(Step step) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        CountDownLatch over = new CountDownLatch(CALLERS);
        long end = System.nanoTime() + NANOS;
        for (int c = 0; c < CALLERS; c++) {
            int caller = c;
            Thread.ofVirtual().start(() -> {
                for (int i = 0; System.nanoTime() < end; i++) {
                    step.run(caller, i);
                    done.incrementAndGet();
                }
                over.countDown();
            });
        }
        over.await();
        return done.get() * 1_000_000_000L / NANOS;
    }
}
