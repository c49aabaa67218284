package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.examples.payments.Ledger;
import dev.semel.examples.payments.PaymentService;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DemoTest {
    private final long seed = System.nanoTime();
    private final Ledger ledger = Ledger.inMemory();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, UTF_8);

    @AfterEach
    void show() {
        System.out.println("seed " + seed + "\n" + printed.toString(UTF_8));
    }

    @Test
    void against_the_bare_service_customers_pay_twice() throws Exception {
        try (PaymentService service = PaymentService.start(0, ledger)) {
            Summary end = Demo.run(service.url(), ledger, Duration.ofSeconds(3), seed, out);

            assertTrue(end.doubleCharges() > 0, end.toString());
            assertEquals(end.repeats(), end.doubleCharges(), "every duplicate that got through charged again");
            assertEquals(ledger.size() - Demo.FIRST_PAYMENTS, end.charges());
            assertEquals(0, end.absorbed());
            assertEquals(0, end.missing());
            assertFalse(end.isExactlyOnce());
            assertTrue(last().endsWith("customers paid more than once."), last());
        }
        assertNoThreadIsLeft();
    }

    @Test
    void behind_something_that_remembers_every_payment_is_charged_once() throws Exception {
        try (StandIn remembering = StandIn.thatRemembers(ledger)) {
            Summary end = Demo.run(remembering.url(), ledger, Duration.ofSeconds(2), seed, out);

            assertEquals(0, end.doubleCharges());
            assertEquals(end.payments(), end.charges());
            assertEquals(0, end.unfinished());
            assertTrue(end.absorbed() > 0 && end.repeats() >= end.absorbed(), end.toString());
            assertTrue(end.isExactlyOnce());
            assertTrue(last().endsWith("every payment was charged exactly once."), last());
        }
    }

    @Test
    void an_answer_without_a_charge_does_not_go_unnoticed() throws Exception {
        try (StandIn lying = StandIn.thatChargesNothing()) {
            Summary end = Demo.run(lying.url(), ledger, Duration.ofMillis(700), seed, out);

            assertEquals(end.payments(), end.missing());
            assertFalse(end.isExactlyOnce());
            assertTrue(last().endsWith("NOT CHARGED."), last());
        }
    }

    @Test
    void an_interrupt_ends_it_in_order_and_is_used_up() throws Exception {
        CountDownLatch alive = new CountDownLatch(1);
        AtomicBoolean stillInterrupted = new AtomicBoolean(true);
        CompletableFuture<Summary> end = new CompletableFuture<>();
        try (PaymentService service = PaymentService.start(0, ledger)) {
            PrintStream signalling = new PrintStream(printed, true, UTF_8) {
                @Override
                public void println(String line) {
                    super.println(line);
                    if (!line.contains("paid 0,")) alive.countDown();
                }
            };
            Thread demo = Thread.ofPlatform().start(() -> {
                try {
                    end.complete(Demo.run(service.url(), ledger, Demo.UNTIL_INTERRUPTED, seed, signalling));
                    stillInterrupted.set(Thread.interrupted());
                } catch (Exception e) {
                    end.completeExceptionally(e);
                }
            });
            assertTrue(alive.await(10, TimeUnit.SECONDS));
            demo.interrupt();
            end.get(15, TimeUnit.SECONDS);
            demo.join();
        }
        assertFalse(stillInterrupted.get());
        assertTrue(end.join().payments() > 0);
        assertTrue(last().contains(" charges, "), last());
        assertNoThreadIsLeft();
    }

    @Test
    void when_nobody_listens_it_says_that_nothing_was_paid() throws Exception {
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            URI nobody = URI.create("http://127.0.0.1:" + taken.getLocalPort());
            Summary end = Demo.run(nobody, ledger, Duration.ofMillis(500), seed, out);

            assertTrue(end.requests() > 0 && end.unfinished() > 0, end.toString());
            assertFalse(end.isExactlyOnce());
            assertTrue(last().startsWith("Nothing was paid."), last());
        }
        assertNoThreadIsLeft();
    }

    /** The virtual threads are awaited by their executors; here is a look at the HTTP client's own thread. */
    private static void assertNoThreadIsLeft() {
        for (Thread thread : Thread.getAllStackTraces().keySet())
            assertFalse(thread.getName().startsWith("HttpClient-") && thread.isAlive(), thread.toString());
    }

    private String last() {
        return printed.toString(UTF_8).lines().toList().getLast();
    }
}
