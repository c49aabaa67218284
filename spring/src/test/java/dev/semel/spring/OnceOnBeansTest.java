package dev.semel.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.semel.core.Attempt;
import dev.semel.core.FailurePolicy;
import dev.semel.core.KeyReusedException;
import dev.semel.core.OutcomeUnknownException;
import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class OnceOnBeansTest {
    record Order(String id, int cents) {}

    record Receipt(String id, Instant at) {}

    static class Declined extends RuntimeException {
        private static final long serialVersionUID = 1;

        Declined(String message) {
            super(message);
        }
    }

    /** Cannot be written as JSON: it has itself as a member. */
    static class Endless {
        public Endless getSelf() {
            return this;
        }
    }

    /** Made by its only constructor, as Lombok's {@code @Value} has it. */
    static final class Ticket {
        private final String seat;
        private final List<Receipt> receipts;

        public Ticket(String seat, List<Receipt> receipts) {
            this.seat = seat;
            this.receipts = receipts;
        }

        public String getSeat() {
            return seat;
        }

        public List<Receipt> getReceipts() {
            return receipts;
        }
    }

    /** Can be written, and not read: there is no object without its text. */
    static class Unread {
        private final String text;

        @JsonCreator
        Unread(@JsonProperty("text") String text) {
            this.text = Objects.requireNonNull(text);
        }

        @JsonProperty("other")
        String shown() {
            return text;
        }
    }

    static class Shop {
        final AtomicInteger runs = new AtomicInteger();
        final ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>();
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Once(key = "#order.id")
        Receipt charge(Order order) {
            return new Receipt("r-" + runs.incrementAndGet(), Instant.parse("2026-01-01T00:00:00.123456789Z"));
        }

        @Once(key = "#p0", operation = "refund", retention = "7d", lease = "10s", waitFor = "0s")
        public List<Receipt> refund(String id, Attempt attempt) {
            keys.add(attempt.downstreamKey("bank"));
            return List.of(new Receipt(attempt.key() + "-" + attempt.number(), Instant.EPOCH));
        }

        @Once(key = "#id")
        public void mail(long id) {
            runs.incrementAndGet();
        }

        @Once(key = "#id")
        public int count(String id) {
            return runs.incrementAndGet();
        }

        @Once(key = "#id")
        public String decline(String id) {
            runs.incrementAndGet();
            throw new Declined("no funds");
        }

        @Once(key = "#id")
        public String lose(String id) {
            runs.incrementAndGet();
            throw new IllegalStateException("no answer");
        }

        @Once(key = "#id")
        public Endless endless(String id) {
            runs.incrementAndGet();
            return new Endless();
        }

        @Once(key = "#id")
        public int anyKey(Object id) {
            return runs.incrementAndGet();
        }

        @Once(key = "#id")
        public Ticket ticket(String id) {
            return new Ticket(id + runs.incrementAndGet(), List.of(new Receipt(id, Instant.EPOCH)));
        }

        @Once(key = "#id")
        public Unread unread(String id) {
            return new Unread(id);
        }

        @Once(key = "#id")
        public String slow(String id) throws InterruptedException {
            entered.countDown();
            goOn.await();
            return "done " + runs.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        Shop shop() {
            return new Shop();
        }

        @Bean
        FailurePolicy failures() {
            return FailurePolicy.ALL_IN_DOUBT.permanent(Declined.class);
        }
    }

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Applications.inMemory(Beans.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private final Shop shop = application.getBean(Shop.class);

    /** What the target behind the proxy has counted. */
    private static Shop target(Shop proxy) {
        return (Shop) org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(proxy);
    }

    @Test
    void a_method_runs_once_per_key_and_its_outcome_is_given_again() {
        Receipt first = shop.charge(new Order("o-1", 5));
        assertEquals(first, shop.charge(new Order("o-1", 5)));
        assertThrows(KeyReusedException.class, () -> shop.charge(new Order("o-1", 6)));
        assertTrue(!first.equals(shop.charge(new Order("o-2", 5))));
    }

    @Test
    void the_attempt_comes_as_a_parameter_and_is_no_part_of_the_request() {
        List<Receipt> first = shop.refund("o-1", null);
        assertEquals(List.of(new Receipt("o-1-1", Instant.EPOCH)), first);
        assertEquals(first, shop.refund("o-1", null));
        assertEquals(1, target(shop).keys.size());
        Semel semel = application.getBean(Semel.class);
        var record = semel.find(KeyId.of("", "refund", "o-1")).record();
        var done = (dev.semel.core.key.KeyState.Done) record.state();
        assertEquals(Duration.ofDays(7), Duration.between(record.since(), done.replayUntil()));
    }

    @Test
    void a_method_may_return_nothing_or_a_number() {
        int before = target(shop).runs.get();
        shop.mail(7);
        shop.mail(7);
        assertEquals(before + 1, target(shop).runs.get());
        assertEquals(shop.count("c"), shop.count("c"));
    }

    @Test
    void the_operation_is_called_after_class_and_method() {
        shop.mail(8);
        assertTrue(application.getBean(Semel.class).find(KeyId.of("", "Shop.mail", "8")) != null);
    }

    @Test
    void an_exception_that_the_policy_names_is_an_outcome_and_any_other_leaves_a_doubt() {
        assertEquals(
                "no funds",
                assertThrows(Declined.class, () -> shop.decline("d")).getMessage());
        int before = target(shop).runs.get();
        assertEquals(
                "no funds",
                assertThrows(Declined.class, () -> shop.decline("d")).getMessage());
        assertEquals(before, target(shop).runs.get());
        assertThrows(IllegalStateException.class, () -> shop.lose("l"));
        assertThrows(OutcomeUnknownException.class, () -> shop.lose("l"));
    }

    @Test
    void a_key_that_is_null_or_cannot_be_found_runs_nothing() {
        int before = target(shop).runs.get();
        assertTrue(assertThrows(OnceMisuseException.class, () -> shop.count(null))
                .getMessage()
                .contains("is null. Nothing ran."));
        assertTrue(assertThrows(OnceMisuseException.class, () -> shop.count(""))
                .getMessage()
                .contains("is empty. Nothing ran."));
        assertTrue(assertThrows(OnceMisuseException.class, () -> shop.charge(null))
                .getMessage()
                .contains("Nothing ran."));
        assertEquals(before, target(shop).runs.get());
    }

    @Test
    void a_key_without_a_text_of_its_own_runs_nothing() {
        int before = target(shop).runs.get();
        for (Object each : List.of(new Object(), new int[] {1}, new String[] {"a"}, List.of(new Object()))) {
            String said = assertThrows(OnceMisuseException.class, () -> shop.anyKey(each))
                    .getMessage();
            assertTrue(said.contains("another one in every call") && said.contains("Nothing ran"), said);
        }
        assertEquals(before, target(shop).runs.get());
        for (Object each : List.of(7L, new UUID(1, 2), Duration.ZERO, List.of("a", 1), new Order("o", 1)))
            assertEquals(shop.anyKey(each), shop.anyKey(each));
    }

    @Test
    void an_outcome_that_cannot_be_written_says_that_the_method_ran() {
        String said =
                assertThrows(OnceMisuseException.class, () -> shop.endless("e")).getMessage();
        assertTrue(said.contains("the method ran") && said.contains("in doubt"), said);
        assertThrows(OutcomeUnknownException.class, () -> shop.endless("e"));
    }

    @Test
    void an_outcome_that_could_not_be_read_back_is_not_recorded() {
        String said =
                assertThrows(OnceMisuseException.class, () -> shop.unread("u")).getMessage();
        assertTrue(said.contains("the method ran") && said.contains("read back"), said);
    }

    @Test
    void an_object_without_setters_is_made_by_its_constructor() {
        Ticket first = shop.ticket("t");
        Ticket again = shop.ticket("t");
        assertEquals(first.getSeat(), again.getSeat());
        assertEquals(first.getReceipts(), again.getReceipts());
    }

    @Test
    void a_duplicate_waits_for_the_attempt_in_flight() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = threads.submit(() -> shop.slow("s"));
            target(shop).entered.await();
            Future<String> second = threads.submit(() -> shop.slow("s"));
            Semel semel = application.getBean(Semel.class);
            while (semel.waitingHere() == 0) Thread.onSpinWait();
            target(shop).goOn.countDown();
            assertEquals(first.get(), second.get());
        }
    }
}
