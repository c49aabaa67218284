package dev.semel.examples.demo;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** All shoppers, each on a thread of its own. */
final class Shop implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);

    static Shop open(int shoppers, ImpatientClient client, Tally tally, long seed) {
        Shop shop = new Shop();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 1; i <= shoppers; i++) {
            Shopper shopper = new Shopper("shopper-" + i, client, tally, random.split());
            shop.threads.execute(() -> shopper.shop(shop.closing));
        }
        return shop;
    }

    /** No new payments; waits so long for those that were begun, or until interrupted. */
    void lastOrders(Duration wait) {
        closing.countDown();
        threads.shutdown();
        try {
            threads.awaitTermination(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException enough) {
            // Then without them.
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
