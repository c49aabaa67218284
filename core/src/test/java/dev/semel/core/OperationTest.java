package dev.semel.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.Guarantee;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.time.HandTime;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationTest {
    private record Order(String account, BigDecimal amount) {}

    private record Refund(String account, BigDecimal amount) {}

    private static final Order TEN = new Order("a-1", new BigDecimal("10.00"));

    public static class CardDeclined extends Exception {
        private static final long serialVersionUID = 1;

        CardDeclined(String message) {
            super(message);
        }
    }

    public static final class CardExpired extends CardDeclined {
        private static final long serialVersionUID = 1;

        CardExpired() {
            super("expired");
        }
    }

    private final HandTime time = new HandTime();
    private final InMemoryKeyStore store = new InMemoryKeyStore(time.clock());
    private final Semel semel = Semel.on(store).time(time).start();
    private final AtomicInteger effects = new AtomicInteger();
    private final Operation<String> charge =
            semel.operation("charge", Codec.text()).withWaitFor(Duration.ZERO);

    @AfterEach
    void close() {
        semel.close();
    }

    private String pay(Attempt attempt) {
        return "receipt " + effects.incrementAndGet();
    }

    @Test
    void runs_once_and_gives_every_duplicate_what_the_first_run_gave() {
        for (int i = 0; i < 3; i++) assertEquals("receipt 1", charge.once("o-1", TEN, this::pay));
        assertEquals("receipt 2", charge.once("o-2", TEN, this::pay));
        assertInstanceOf(Once.Ran.class, charge.attempt("o-3", TEN, this::pay));
        assertEquals(
                "receipt 3",
                assertInstanceOf(Once.Replayed.class, charge.attempt("o-3", TEN, this::pay))
                        .value());
        assertEquals("receipt 4", charge.withTenant("other").once("o-1", TEN, this::pay), "tenants never meet");
    }

    @Test
    void an_amount_is_the_same_request_however_it_is_written_and_another_one_is_not() {
        charge.once("o", TEN, this::pay);
        charge.once("o", new Order("a-1", new BigDecimal("10")), this::pay);
        assertThrows(KeyReusedException.class, () -> charge.once("o", new Order("a-1", BigDecimal.ONE), this::pay));
        assertThrows(IllegalArgumentException.class, () -> charge.once("o", new Object(), this::pay));
        assertEquals(1, effects.get());
    }

    @Test
    void no_two_requests_run_together() {
        List<Object> different = new ArrayList<>(List.of(
                "",
                "ab",
                new byte[] {'a', 'b'},
                List.of("ab"),
                List.of("a", "b"),
                List.of(List.of("a"), "b"),
                List.of("a", List.of("b")),
                Map.of("a", "b"),
                Map.of("b", "a"),
                1,
                "1",
                true,
                UUID.fromString("00000000-0000-0000-0000-000000000001"),
                Guarantee.AT_MOST_ONCE,
                Duration.ofSeconds(1),
                TEN,
                new Refund("a-1", new BigDecimal("10.00")),
                Set.of("ab"),
                1.0,
                BigDecimal.ONE,
                new BigDecimal("1E+999999999"),
                "\ud800",
                "?",
                List.of()));
        List<List<Byte>> seen = new ArrayList<>();
        for (Object each : different) {
            List<Byte> bytes = new ArrayList<>();
            for (byte it : CanonicalRequest.bytes(each)) bytes.add(it);
            assertFalse(seen.contains(bytes), () -> "as another before: " + each);
            seen.add(bytes);
        }
    }

    @Test
    void a_set_is_the_same_request_in_whatever_order_it_is_read() {
        Set<String> one = new LinkedHashSet<>(List.of("a", "b", "c"));
        Set<String> other = new LinkedHashSet<>(List.of("c", "a", "b"));
        assertArrayEquals(CanonicalRequest.bytes(one), CanonicalRequest.bytes(other));
    }

    @Test
    void that_nothing_ran_inside_an_effect_does_not_say_so_of_the_effect() {
        StoreException inner = StoreException.notApplied("the store of another operation is down", null);
        OutcomeUnknownException unknown = assertThrows(
                OutcomeUnknownException.class,
                () -> charge.once("o", TEN, attempt -> {
                    throw inner;
                }));
        assertSame(inner, unknown.getCause());
        assertThrows(OutcomeUnknownException.class, () -> charge.once("o", TEN, this::pay));
    }

    @Test
    void an_exception_that_nobody_named_leaves_a_doubt() {
        assertThrows(
                IOException.class,
                () -> charge.once("o", TEN, attempt -> {
                    throw new IOException("reset by peer");
                }));
        OutcomeUnknownException unknown =
                assertThrows(OutcomeUnknownException.class, () -> charge.once("o", TEN, this::pay));
        assertTrue(unknown.getMessage().contains("java.io.IOException"), unknown.getMessage());
        assertFalse(unknown.getMessage().contains("reset by peer"), "what an exception says may be a secret");
        assertThrows(
                StackOverflowError.class,
                () -> charge.once("p", TEN, attempt -> {
                    throw new StackOverflowError();
                }));
        assertInstanceOf(Once.InDoubt.class, charge.attempt("p", TEN, this::pay));
        assertEquals(0, effects.get());
    }

    @Test
    void a_transient_exception_says_that_nothing_ran() {
        Operation<String> retried =
                charge.withFailures(FailurePolicy.ALL_IN_DOUBT.transients(IllegalStateException.class));
        assertThrows(
                IllegalStateException.class,
                () -> retried.once("o", TEN, attempt -> {
                    throw new IllegalStateException("busy");
                }));
        assertEquals(
                "receipt 1 in run 2", retried.once("o", TEN, attempt -> pay(attempt) + " in run " + attempt.number()));
    }

    @Test
    void a_permanent_exception_is_an_outcome_and_thrown_to_every_duplicate() {
        Operation<String> declining = charge.withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(CardDeclined.class));
        CardExpired first = assertThrows(
                CardExpired.class,
                () -> declining.once("o", TEN, attempt -> {
                    effects.incrementAndGet();
                    throw new CardExpired();
                }));
        CardDeclined again = assertThrows(CardDeclined.class, () -> declining.once("o", TEN, this::decline));
        assertEquals(first.getMessage(), again.getMessage());
        assertSame(CardDeclined.class, again.getClass(), "of the type that was named");
        Once.Failed<?> told = assertInstanceOf(Once.Failed.class, declining.attempt("o", TEN, this::pay));
        assertTrue(told.replayed());
        assertEquals(1, effects.get());
        assertThrows(OutcomeNotKeptException.class, () -> charge.once("o", TEN, this::pay), "not named here");
    }

    private String decline(Attempt attempt) throws CardDeclined {
        throw new CardDeclined("never asked");
    }

    @Test
    void an_exception_that_could_not_be_made_again_is_refused_when_it_is_named() {
        assertThrows(IllegalArgumentException.class, () -> FailurePolicy.ALL_IN_DOUBT.permanent(CardExpired.class));
        FailurePolicy named = FailurePolicy.ALL_IN_DOUBT.permanent(CardExpired.class, message -> new CardExpired());
        assertEquals("expired", named.decode(named.encode(new CardExpired())).getMessage());
    }

    @Test
    void the_nearest_type_that_is_named_counts() {
        FailurePolicy policy =
                FailurePolicy.ALL_IN_DOUBT.transients(Exception.class).permanent(CardDeclined.class);
        assertEquals(FailurePolicy.Meaning.PERMANENT, policy.of(new CardExpired()));
        assertEquals(FailurePolicy.Meaning.TRANSIENT, policy.of(new IOException()));
        assertEquals(FailurePolicy.Meaning.DOUBT, policy.of(new OutOfMemoryError()));
    }

    @Test
    void keys_for_other_services_are_the_same_in_every_run_and_differ_by_operation_key_and_service() {
        List<String> keys = new ArrayList<>();
        Operation<String> again = charge.withGuarantee(Guarantee.AT_LEAST_ONCE);
        for (int run = 0; run < 2; run++)
            assertThrows(
                    IllegalStateException.class,
                    () -> again.once("o", TEN, attempt -> {
                        keys.add(attempt.downstreamKey("bank"));
                        throw new IllegalStateException();
                    }));
        assertEquals(keys.get(0), keys.get(1));
        assertEquals(5, UUID.fromString(keys.get(0)).version());
        charge.once("o2", TEN, attempt -> {
            keys.add(attempt.downstreamKey("bank"));
            keys.add(attempt.downstreamKey("mail"));
            return "";
        });
        assertNotEquals(keys.get(0), keys.get(2));
        assertNotEquals(keys.get(2), keys.get(3));
    }

    /** A service behind may have kept this key for months: no release of Semel may derive another. */
    @Test
    void a_key_for_another_service_is_the_same_in_every_release() {
        charge.withTenant("acme").once("o-1", TEN, attempt -> {
            assertEquals("8281d1b1-23f1-53ea-a98c-695f62e08ae5", attempt.downstreamKey("bank"));
            return "";
        });
    }

    @Test
    void a_duplicate_waits_for_the_attempt_in_flight_and_gets_its_outcome() throws Exception {
        Operation<String> waiting = charge.withWaitFor(Duration.ofSeconds(30));
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch running = new CountDownLatch(1);
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> waiting.once("o", TEN, attempt -> {
            running.countDown();
            await(goOn);
            return pay(attempt);
        }));
        await(running);
        assertThrows(InProgressException.class, () -> charge.once("o", TEN, this::pay));
        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> waiting.once("o", TEN, this::pay));
        goOn.countDown();
        assertEquals("receipt 1", first.get(30, TimeUnit.SECONDS));
        assertEquals("receipt 1", second.get(30, TimeUnit.SECONDS));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void past_its_retention_a_late_retry_is_refused_and_does_not_run() {
        Operation<String> brief = charge.withRetention(Duration.ofHours(1)).withTombstone(Duration.ofHours(1));
        brief.once("o", TEN, this::pay);
        time.advance(Duration.ofMinutes(90));
        assertThrows(KeySpentException.class, () -> brief.once("o", TEN, this::pay));
        assertEquals(1, effects.get());
    }

    @Test
    void an_outcome_that_is_too_large_for_the_store_is_given_once_and_never_run_again() {
        InMemoryKeyStore small = new InMemoryKeyStore();
        try (Semel narrow = Semel.on(new ForwardingKeyStore(small) {
                    @Override
                    public StoreTraits traits() {
                        return super.traits().withLargestOutcome(1000);
                    }
                })
                .start()) {
            Operation<byte[]> download = narrow.operation("download", Codec.bytes());
            assertEquals(1000, download.once("k", null, attempt -> new byte[1000]).length);
            assertInstanceOf(Once.NotKept.class, download.attempt("k", null, attempt -> new byte[1]));
            assertEquals(999, download.once("fits", null, attempt -> new byte[999]).length);
            assertEquals(999, download.once("fits", null, attempt -> new byte[1]).length);
        }
    }

    @Test
    void what_a_codec_cannot_read_is_not_run_again() {
        charge.once("o", TEN, this::pay);
        Operation<String> later = semel.operation("charge", Codec.of(String::getBytes, bytes -> {
            throw new IllegalArgumentException("version 2 expected");
        }));
        OutcomeNotKeptException told =
                assertThrows(OutcomeNotKeptException.class, () -> later.once("o", TEN, this::pay));
        assertTrue(told.getMessage().contains("version 2 expected"), told.getMessage());
        assertEquals(1, effects.get());
    }

    @Test
    void names_of_semels_own_are_refused() {
        Operation<String> own = semel.operation("semel:order", Codec.text());
        assertThrows(IllegalArgumentException.class, () -> own.once("o", TEN, this::pay));
    }
}
