package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.examples.payments.Charge;
import dev.semel.examples.payments.Ledger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DemoTest {
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(5);

    private final long seed = 7;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, UTF_8);
    private DemoService service;
    private DemoService twin;

    @BeforeEach
    void start() throws IOException {
        service = DemoService.on(0);
        twin = DemoService.on(0);
    }

    @AfterEach
    void end() throws IOException {
        service.close();
        twin.close();
        System.out.println("seed " + seed + "\n" + printed.toString(UTF_8));
        for (Thread thread : Thread.getAllStackTraces().keySet())
            assertFalse(thread.getName().startsWith("HttpClient-") && thread.isAlive(), thread.toString());
    }

    @Test
    void the_same_payments_are_charged_once_behind_something_that_remembers_and_twice_without() throws Exception {
        try (StandIn remembering = StandIn.thatRemembers(service.ledger())) {
            Summary end = run(remembering, Duration.ofSeconds(3), FINISH_TIMEOUT);
            SideCount with = end.guarded();
            SideCount bare = end.bare();

            assertEquals(0, with.doubleCharges());
            assertEquals(with.wanted(), with.charges());
            assertEquals(0, with.unknown());
            assertTrue(with.absorbed() > 0, end.toString());
            assertTrue(end.isExactlyOnce());

            assertEquals(with.wanted(), bare.wanted());
            assertTrue(bare.doubleCharges() > 0, end.toString());
            assertEquals(0, bare.absorbed());
            assertEquals(inTheLedgerTwice(twin.ledger()), bare.doubleCharges());
            assertEquals(takenTwice(twin.ledger()), bare.wrongCents());
            assertEquals(1, remembering.kills(), "nobody watches, so the gateway is killed half-way");
            says(
                    "gateway " + remembering.url(),
                    "curl -i " + remembering.url() + "/v1/charges",
                    "The gateway was killed with kill -9 once.",
                    " charged more than once.",
                    "With Semel, every payment was charged exactly once.",
                    "./semel demo --seed " + seed + " --seconds 3");
        }
    }

    /** Counted by another road than the demo counts. */
    private static long inTheLedgerTwice(Ledger ledger) {
        Set<String> keys = new HashSet<>();
        return ledger.from(0).stream()
                .filter(charge -> !keys.add(charge.idempotencyKey()))
                .count();
    }

    private static long takenTwice(Ledger ledger) {
        Set<String> keys = new HashSet<>();
        return ledger.from(0).stream()
                .filter(charge -> !keys.add(charge.idempotencyKey()))
                .mapToLong(Charge::amount)
                .sum();
    }

    @Test
    void the_same_seed_brings_the_same_orders_and_another_one_others() {
        assertEquals(orders(seed), orders(seed));
        assertNotEquals(orders(seed), orders(seed + 1));
    }

    private static List<Order> orders(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Order> orders = new ArrayList<>();
        Duration last = Duration.ZERO;
        for (int i = 0; i < 100; i++) {
            orders.add(Order.after(last, random));
            last = orders.getLast().at();
        }
        return orders;
    }

    @Test
    void the_keys_of_the_viewer_break_things_and_what_is_broken_comes_back() throws Exception {
        BlockingQueue<Character> keys = new LinkedBlockingQueue<>(List.of('l', 'p', 'k', 'x'));
        try (StandIn remembering = StandIn.thatRemembers(service.ledger());
                Viewer viewer = Viewer.pressing(keys, watching("with Semel: charged 1", () -> keys.add('q')))) {
            Demo.Plan plan = new Demo.Plan(Demo.UNTIL_INTERRUPTED, seed, FINISH_TIMEOUT);
            Summary end = Demo.run(new Demo.Participants(remembering, service, twin), plan, viewer, out);

            assertEquals(1, remembering.kills());
            assertEquals(1, end.incidents().kills());
            assertEquals(1, end.incidents().crashes());
            assertEquals(1, end.incidents().blackouts());
            assertTrue(end.incidents().servicesUp() && end.incidents().answersPass(), end.toString());
            assertEquals(0, end.bare().unknown(), "the twin came back and answered");
            assertTrue(end.isExactlyOnce(), end.toString());
            says("./semel demo --seed " + seed + "\n", "crashed once", "lost every answer for 3 seconds, once");
        }
    }

    @Test
    void an_answer_without_a_charge_does_not_go_unnoticed() throws Exception {
        try (StandIn lying = StandIn.thatChargesNothing()) {
            Summary end = run(lying, Duration.ofMillis(700), FINISH_TIMEOUT);

            assertEquals(end.guarded().answered(), end.guarded().missing());
            assertFalse(end.isExactlyOnce());
            says("NOT CHARGED.");
        }
    }

    @Test
    void an_interrupt_ends_it_in_order_and_is_used_up() throws Exception {
        CountDownLatch alive = new CountDownLatch(1);
        AtomicBoolean stillInterrupted = new AtomicBoolean(true);
        CompletableFuture<Summary> end = new CompletableFuture<>();
        try (StandIn remembering = StandIn.thatRemembers(service.ledger())) {
            Demo.Participants participants = new Demo.Participants(remembering, service, twin);
            PrintStream signalling = watching("with Semel: charged 1", alive::countDown);
            Thread demo = Thread.ofPlatform().start(() -> {
                try {
                    end.complete(Demo.run(participants, Demo.UNTIL_INTERRUPTED, seed, signalling));
                    stillInterrupted.set(Thread.interrupted());
                } catch (Exception e) {
                    end.completeExceptionally(e);
                }
            });
            assertTrue(alive.await(10, TimeUnit.SECONDS));
            demo.interrupt();
            end.get(20, TimeUnit.SECONDS);
            demo.join();
        }
        assertFalse(stillInterrupted.get());
        assertTrue(end.join().isExactlyOnce(), end.join().toString());
        says("With Semel, every payment was charged exactly once.");
    }

    @Test
    void when_the_gateway_never_answers_it_says_that_nothing_was_paid() throws Exception {
        StandIn gone = StandIn.thatChargesNothing();
        gone.close();
        Summary end = run(gone, Duration.ofMillis(500), Duration.ofMillis(500));

        assertTrue(end.guarded().requests() > 0 && end.guarded().unknown() > 0, end.toString());
        assertFalse(end.isExactlyOnce());
        says("nothing was paid");
    }

    private Summary run(StandIn gateway, Duration duration, Duration finishTimeout) throws IOException {
        try (Viewer nobody = Viewer.nobody(out, duration)) {
            Demo.Plan plan = new Demo.Plan(duration, seed, finishTimeout);
            return Demo.run(new Demo.Participants(gateway, service, twin), plan, nobody, out);
        }
    }

    /** Does something as soon as a line like this is printed. */
    private PrintStream watching(String part, Runnable action) {
        return new PrintStream(printed, true, UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.contains(part)) action.run();
            }
        };
    }

    private void says(String... parts) {
        String text = printed.toString(UTF_8);
        for (String part : parts) assertTrue(text.contains(part), () -> "no '" + part + "' in:\n" + text);
    }
}
