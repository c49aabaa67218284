package dev.semel.examples.demo;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Orders come at their time, whatever became of earlier ones, and each is paid on every side: the same payments, in the
 * same way, at the same moment. The same seed brings the same orders.
 */
final class Shop implements AutoCloseable {
    private final List<Side> sides;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private Shop(List<Side> sides) {
        this.sides = sides;
    }

    /** Takes all orders that come within the duration. */
    static Shop open(List<Side> sides, Duration duration, long seed) {
        Shop shop = new Shop(sides);
        shop.threads.execute(() -> shop.takeOrders(duration, new SplittableRandom(seed)));
        return shop;
    }

    private void takeOrders(Duration duration, SplittableRandom random) {
        long start = System.nanoTime();
        try {
            Order order = Order.after(Duration.ZERO, random);
            while (order.at().compareTo(duration) < 0
                    && !closesBefore(start + order.at().toNanos())) {
                for (Side side : sides) threads.execute(side.customer(order)::pay);
                order = Order.after(order.at(), random);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed.countDown();
        }
    }

    private boolean closesBefore(long nanos) throws InterruptedException {
        return closing.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** No new orders; those that were taken are still paid. */
    void stopOrders() throws InterruptedException {
        closing.countDown();
        closed.await();
        threads.shutdown();
    }

    /** Waits so long for the payments that were begun. Only after {@link #stopOrders}. */
    boolean awaitPayments(Duration wait) throws InterruptedException {
        return threads.awaitTermination(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
