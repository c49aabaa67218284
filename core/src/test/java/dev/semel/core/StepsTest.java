package dev.semel.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final String ORDER = "two books";

    static final class OutOfStock extends Exception {
        private static final long serialVersionUID = 1;

        OutOfStock(String message) {
            super(message);
        }
    }

    private final HandTime time = new HandTime();
    private final InMemoryKeyStore store = new InMemoryKeyStore(time.clock());
    private final BlockingQueue<SemelEvent> events = new LinkedBlockingQueue<>();
    private final Semel semel = engine();
    private final Semel other = engine();
    private final List<String> done = new ArrayList<>();
    private final Operation<String> order = operation(semel);

    private Semel engine() {
        return Semel.on(store)
                .time(time)
                .listener(events::add)
                .sweepEvery(Duration.ZERO)
                .start();
    }

    private static Operation<String> operation(Semel engine) {
        return engine.operation("order", Codec.text())
                .withGuarantee(Guarantee.AT_LEAST_ONCE)
                .withWaitFor(Duration.ZERO)
                .withFailures(FailurePolicy.ALL_IN_DOUBT
                        .permanent(OutOfStock.class)
                        .transients(IllegalCallerException.class));
    }

    @AfterEach
    void close() {
        semel.close();
        other.close();
    }

    private String step(Attempt attempt, String name) {
        return attempt.step(name, String.class, step -> {
            done.add(name);
            return name + " done";
        });
    }

    private String undoable(Attempt attempt, String name) {
        return attempt.step(
                name,
                String.class,
                step -> {
                    done.add(name);
                    return name + " done";
                },
                (value, undo) -> {
                    assertEquals(name + " done", value);
                    done.add("undo " + name);
                });
    }

    private KeyState state() {
        return semel.find(KeyId.of("", "order", "o-1")).record().state();
    }

    @Test
    void finished_steps_are_given_and_the_first_unfinished_one_runs_with_its_key_and_a_higher_token() {
        List<String> keys = new ArrayList<>();
        List<Long> tokens = new ArrayList<>();
        for (int run = 1; run <= 2; run++) {
            boolean cutOff = run == 1;
            Effect<String, RuntimeException> effect = attempt -> {
                String charged = step(attempt, "charge");
                return charged + ", "
                        + attempt.step("ship", String.class, step -> {
                            keys.add(step.downstreamKey());
                            tokens.add(step.token());
                            if (cutOff) throw new IllegalStateException("the line went dead");
                            return "shipped";
                        });
            };
            if (cutOff) assertThrows(IllegalStateException.class, () -> order.once("o-1", ORDER, effect));
            else assertEquals("charge done, shipped", order.once("o-1", ORDER, effect));
        }
        assertEquals(List.of("charge"), done);
        assertEquals(1, new HashSet<>(keys).size(), () -> "the same key in both runs: " + keys);
        assertTrue(tokens.get(1) > tokens.get(0), tokens::toString);
        assertEquals("charge done, shipped", order.once("o-1", ORDER, attempt -> "never"));
    }

    @Test
    void an_exception_that_says_that_nothing_ran_keeps_what_did() {
        assertThrows(
                IllegalCallerException.class,
                () -> order.once("o-1", ORDER, attempt -> {
                    step(attempt, "charge");
                    throw new IllegalCallerException("not now");
                }));
        assertEquals("charge done", order.once("o-1", ORDER, attempt -> step(attempt, "charge")));
        assertEquals(List.of("charge"), done);
    }

    @Test
    void an_outcome_that_cannot_be_written_keeps_the_steps() {
        Operation<String> mute = semel.operation("order", new Codec<String>() {
                    @Override
                    public byte[] encode(String value) {
                        throw new IllegalArgumentException("no bytes for " + value);
                    }

                    @Override
                    public String decode(byte[] bytes) {
                        return "";
                    }
                })
                .withGuarantee(Guarantee.AT_LEAST_ONCE);
        assertThrows(IllegalArgumentException.class, () -> mute.once("o-1", ORDER, attempt -> step(attempt, "charge")));
        assertEquals("charge done", order.once("o-1", ORDER, attempt -> step(attempt, "charge")));
        assertEquals(List.of("charge"), done);
    }

    @Test
    void a_frozen_run_records_no_step_after_another_took_over() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch thaw = new CountDownLatch(1);
        Operation<String> frozen = operation(other);
        // Its engine stops renewing, as a process does that is stopped.
        CompletableFuture<Throwable> late = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                frozen.once("o-1", ORDER, attempt -> {
                    step(attempt, "charge");
                    return attempt.step("ship", String.class, step -> {
                        inStep.countDown();
                        thaw.await();
                        return "shipped late";
                    });
                });
                late.complete(null);
            } catch (Throwable e) {
                late.complete(e);
            }
        });
        assertTrue(inStep.await(10, TimeUnit.SECONDS));
        other.close();
        time.advance(Duration.ofMinutes(1));
        assertEquals(
                "charge done, ship done",
                order.once("o-1", ORDER, attempt -> step(attempt, "charge") + ", " + step(attempt, "ship")));
        thaw.countDown();
        Throwable ended = late.get(10, TimeUnit.SECONDS);
        assertTrue(ended.getMessage().contains("another run has taken over"), ended::toString);
        assertEquals("charge done, ship done", order.once("o-1", ORDER, attempt -> "never"));
    }

    @Test
    void steps_of_an_operation_that_never_runs_again_are_refused() {
        Operation<String> once = order.withGuarantee(Guarantee.AT_MOST_ONCE);
        var refused = assertThrows(
                IllegalStateException.class, () -> once.once("o-1", ORDER, attempt -> step(attempt, "charge")));
        assertTrue(refused.getMessage().contains("withGuarantee(AT_LEAST_ONCE)"), refused::getMessage);
        assertEquals(List.of(), done);
    }

    @Test
    void a_second_step_of_one_name_is_a_mistake_and_not_a_repetition() {
        assertThrows(
                IllegalStateException.class,
                () -> order.once("o-1", ORDER, attempt -> {
                    step(attempt, "charge");
                    return step(attempt, "charge");
                }));
        assertEquals(List.of("charge"), done);
        for (String name : List.of("", "x".repeat(201)))
            assertThrows(
                    IllegalArgumentException.class, () -> order.once("o-2", ORDER, attempt -> step(attempt, name)));
    }

    @Test
    void what_steps_give_has_a_limit_that_is_named() {
        var tooMuch = assertThrows(
                IllegalStateException.class,
                () -> order.once(
                        "o-1", ORDER, attempt -> attempt.step("big", String.class, step -> "x".repeat(20_000))));
        assertTrue(tooMuch.getMessage().contains("15360 bytes"), tooMuch::getMessage);
    }

    @Test
    void what_goes_wrong_with_the_steps_themselves_is_no_word_of_the_effect() throws Exception {
        Operation<String> strict = order.withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(RuntimeException.class));
        Operation<String> silent = semel.operation("mute", new Mute())
                .withGuarantee(Guarantee.AT_LEAST_ONCE)
                .withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(RuntimeException.class));
        var unwritable = assertThrows(
                IllegalStateException.class,
                () -> silent.once("o-1", ORDER, attempt -> attempt.step("charge", String.class, step -> "charged")));
        assertTrue(unwritable.getMessage().contains("cannot be written"), unwritable::getMessage);
        assertEquals(KeyState.Kind.FREE, state("mute", "o-1").kind());

        Effect<String, RuntimeException> caughtAndWrapped = attempt -> {
            try {
                return attempt.step("big", String.class, step -> "x".repeat(20_000));
            } catch (IllegalStateException e) {
                throw new RuntimeException("in other words", e);
            }
        };
        assertThrows(RuntimeException.class, () -> strict.once("o-2", ORDER, caughtAndWrapped));
        assertEquals(KeyState.Kind.FREE, state("order", "o-2").kind());
        assertEquals("now", strict.once("o-2", ORDER, attempt -> "now"));
    }

    /** Writes what operations give, and nothing that a step gives. */
    private static final class Mute implements Codec<String> {
        @Override
        public byte[] encode(String value) {
            return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public <V> Codec<V> forType(Class<V> type) {
            return Codec.of(
                    value -> {
                        throw new IllegalArgumentException("no bytes for " + value);
                    },
                    bytes -> null);
        }
    }

    private KeyState state(String operation, String key) {
        return store.find(KeyId.of("", operation, key)).record().state();
    }

    @Test
    void a_failure_of_many_words_undoes_the_steps_too() {
        String words = "no books ".repeat(4000);
        Effect<String, OutOfStock> effect = attempt -> {
            attempt.step("big", String.class, step -> "x".repeat(15_000));
            undoable(attempt, "charge");
            throw new OutOfStock(words);
        };
        assertEquals(
                words,
                assertThrows(OutOfStock.class, () -> order.once("o-1", ORDER, effect))
                        .getMessage());
        assertEquals(List.of("charge", "undo charge"), done);
        assertEquals(
                words,
                assertThrows(OutOfStock.class, () -> order.once("o-1", ORDER, effect))
                        .getMessage());
    }

    @Test
    void an_operator_who_takes_a_key_from_its_holder_leaves_its_steps() {
        assertThrows(
                IllegalStateException.class,
                () -> order.once("o-1", ORDER, attempt -> {
                    step(attempt, "charge");
                    var held = semel.find(KeyId.of("", "order", "o-1")).record();
                    semel.forceRelease(held.id(), held.token(), "ann", "it hangs", Duration.ofDays(1));
                    return step(attempt, "ship");
                }));
        done.clear();
        order.once("o-1", ORDER, attempt -> {
            step(attempt, "charge");
            return step(attempt, "ship");
        });
        assertEquals(List.of("ship"), done.stream().distinct().toList());
    }

    @Test
    void steps_of_an_operation_that_nobody_knows_any_more_are_not_forgotten() throws Exception {
        assertThrows(
                IllegalStateException.class,
                () -> order.once("o-1", ORDER, attempt -> {
                    step(attempt, "charge");
                    throw new IllegalStateException("cut off");
                }));
        time.advance(Duration.ofDays(3));
        try (Semel stranger = engine()) {
            stranger.lookInto(Set.of(KeyId.of("", "order", "o-1")));
            SemelEvent event;
            do assertTrue((event = events.poll(10, TimeUnit.SECONDS)) != null);
            while (!(event instanceof SemelEvent.FellIntoDoubt));
        }
        var record = store.find(KeyId.of("", "order", "o-1")).record();
        assertTrue(assertInstanceOf(KeyState.InDoubt.class, record.state())
                .reason()
                .contains("nobody who knows it"));
        assertTrue(!record.memo().isEmpty());
    }

    @Test
    void many_processes_together_are_no_more_eager_than_one() throws Exception {
        BlockingQueue<Integer> runs = new LinkedBlockingQueue<>();
        DurableOperation.Body<String, String> never = (request, attempt) -> {
            runs.add(attempt.number());
            throw new IllegalStateException("not today");
        };
        DurableOperation<String, String> here = operation(semel).durable(Codec.text(), never);
        operation(other).durable(Codec.text(), never);
        assertThrows(IllegalStateException.class, () -> here.once("o-1", ORDER));
        semel.lookInto(Set.of(KeyId.of("", "order", "o-1")));
        awaitFailure(2);
        // Each sees it now; only when the pause by the record is over may one go on.
        for (int i = 0; i < 5; i++) {
            other.lookInto(Set.of(KeyId.of("", "order", "o-1")));
            semel.lookInto(Set.of(KeyId.of("", "order", "o-1")));
        }
        time.advance(Duration.ofMillis(1900));
        assertEquals(2, store.find(KeyId.of("", "order", "o-1")).record().attempt());
        time.advance(Duration.ofSeconds(10));
        awaitFailure(3);
        assertEquals(List.of(1, 2, 3), List.copyOf(runs));
    }

    @Test
    void a_request_that_cannot_be_read_any_more_counts_as_an_attempt() throws Exception {
        Codec<String> changed = Codec.of(String::getBytes, bytes -> {
            throw new IllegalArgumentException("of another type");
        });
        DurableOperation<String, String> durable = operation(semel)
                .<String>durable(changed, (request, attempt) -> {
                    step(attempt, "charge");
                    throw new IllegalStateException("cut off");
                })
                .giveUpAfter(3);
        assertThrows(IllegalStateException.class, () -> durable.once("o-1", ORDER));
        semel.lookInto(Set.of(KeyId.of("", "order", "o-1")));
        awaitFailure(2);
        time.advance(Duration.ofMinutes(10));
        awaitFailure(3);
        time.advance(Duration.ofMinutes(10));
        SemelEvent event;
        do assertTrue((event = events.poll(10, TimeUnit.SECONDS)) != null);
        while (!(event instanceof SemelEvent.FellIntoDoubt));
        assertEquals(List.of("charge"), done);
    }

    @Test
    void a_permanent_failure_undoes_the_steps_in_reverse_order_and_is_the_outcome() {
        Effect<String, OutOfStock> effect = attempt -> {
            undoable(attempt, "reserve");
            step(attempt, "mail");
            undoable(attempt, "charge");
            return attempt.step("ship", String.class, step -> {
                throw new OutOfStock("no books");
            });
        };
        assertEquals(
                "no books",
                assertThrows(OutOfStock.class, () -> order.once("o-1", ORDER, effect))
                        .getMessage());
        List<String> all = List.of("reserve", "mail", "charge", "undo charge", "undo reserve");
        assertEquals(all, done);
        assertThrows(OutOfStock.class, () -> order.once("o-1", ORDER, effect));
        assertEquals(all, done);
    }

    @Test
    void what_undoes_a_step_runs_until_it_ends_well_and_then_no_more() {
        int[] failures = {2};
        Effect<String, OutOfStock> effect = attempt -> {
            attempt.step("reserve", String.class, step -> "reserved", (value, undo) -> {
                if (failures[0]-- > 0) throw new IllegalStateException("the warehouse is away");
                done.add("undo reserve " + undo.downstreamKey());
            });
            undoable(attempt, "charge");
            step(attempt, "ship " + failures[0]);
            throw new OutOfStock("no books");
        };
        for (int i = 0; i < 2; i++) assertThrows(OutcomeUnknownException.class, () -> order.once("o-1", ORDER, effect));
        assertEquals(List.of("charge", "ship 2", "undo charge"), done);
        // Its name is another in each run: it does not occur again, so nobody knows what undoes it.
        var unknown = assertThrows(OutcomeUnknownException.class, () -> order.once("o-1", ORDER, effect));
        assertTrue(unknown.getCause().getMessage().contains("does not occur"), () -> "" + unknown.getCause());
    }

    @Test
    void a_run_that_was_cut_off_while_undoing_is_gone_on_with_and_never_goes_forward_again() {
        int[] failures = {1};
        Effect<String, OutOfStock> effect = attempt -> {
            attempt.step("reserve", String.class, step -> "reserved", (value, undo) -> {
                if (failures[0]-- > 0) throw new IllegalStateException("the warehouse is away");
                done.add("undo reserve");
            });
            undoable(attempt, "charge");
            if (failures[0] > 0) throw new OutOfStock("no books");
            return step(attempt, "ship");
        };
        assertThrows(OutcomeUnknownException.class, () -> order.once("o-1", ORDER, effect));
        assertThrows(OutOfStock.class, () -> order.once("o-1", ORDER, effect));
        assertEquals(List.of("charge", "undo charge", "undo reserve"), done);
        assertThrows(OutOfStock.class, () -> order.once("o-1", ORDER, effect));
        assertEquals(3, done.size());
    }

    @Test
    void the_background_goes_on_with_what_a_dead_process_left() throws Exception {
        CountDownLatch dead = new CountDownLatch(1);
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        DurableOperation.Body<String, String> body = (request, attempt) -> {
            step(attempt, "charge");
            String shipped = attempt.step("ship", String.class, step -> {
                if (attempt.number() == 1) {
                    dead.countDown();
                    new CountDownLatch(1).await();
                }
                return "shipped " + request;
            });
            ends.add(shipped);
            return shipped;
        };
        DurableOperation<String, String> first = operation(other).durable(Codec.text(), body);
        DurableOperation<String, String> second = operation(semel).durable(Codec.text(), body);
        Thread process = Thread.ofVirtual().start(() -> assertThrows(Exception.class, () -> first.once("o-1", ORDER)));
        assertTrue(dead.await(10, TimeUnit.SECONDS));
        other.close();
        assertInstanceOf(Once.InProgress.class, second.attempt("o-1", ORDER));
        time.advance(Duration.ofMinutes(1));
        semel.lookInto(Set.of(KeyId.of("", "order", "o-1")));
        assertEquals("shipped two books", ends.poll(10, TimeUnit.SECONDS));
        assertEquals(List.of("charge"), done);
        assertEquals(
                "shipped two books",
                operation(semel).withWaitFor(Duration.ofSeconds(10)).once("o-1", ORDER, attempt -> "never"));
        assertTrue(events.stream().anyMatch(it -> it instanceof SemelEvent.Resumed resumed && resumed.attempt() == 2));
        process.interrupt();
        process.join();
    }

    @Test
    void what_cannot_be_brought_to_an_end_is_in_doubt_after_so_many_attempts() throws Exception {
        BlockingQueue<Integer> runs = new LinkedBlockingQueue<>();
        DurableOperation<String, String> never = order.<String>durable(Codec.text(), (request, attempt) -> {
                    runs.add(attempt.number());
                    throw new IllegalStateException("not today");
                })
                .giveUpAfter(3);
        assertThrows(IllegalStateException.class, () -> never.once("o-1", ORDER));
        assertEquals(1, runs.poll(10, TimeUnit.SECONDS));
        semel.lookInto(Set.of(KeyId.of("", "order", "o-1")));
        assertEquals(2, runs.poll(10, TimeUnit.SECONDS));
        awaitFailure(2);
        time.advance(Duration.ofMinutes(10));
        assertEquals(3, runs.poll(10, TimeUnit.SECONDS));
        awaitFailure(3);
        time.advance(Duration.ofMinutes(10));
        SemelEvent event;
        while (!((event = events.poll(10, TimeUnit.SECONDS)) instanceof SemelEvent.FellIntoDoubt))
            assertTrue(event != null);
        var doubt = assertInstanceOf(KeyState.InDoubt.class, state());
        assertEquals("it was not brought to an end in 3 attempts", doubt.reason());
        assertThrows(OutcomeUnknownException.class, () -> never.once("o-1", ORDER));
    }

    private void awaitFailure(int attempt) throws InterruptedException {
        SemelEvent event;
        do assertTrue((event = events.poll(10, TimeUnit.SECONDS)) != null, "attempt " + attempt);
        while (!(event instanceof SemelEvent.BackgroundTaskFailed it
                && it.task().endsWith("attempt " + attempt)));
    }

    @Test
    void a_request_that_is_too_large_to_be_kept_is_refused_before_anything_runs() {
        DurableOperation<String, String> kept =
                order.durable(Codec.text(), (request, attempt) -> step(attempt, "charge"));
        assertThrows(IllegalArgumentException.class, () -> kept.once("o-1", "x".repeat(20_000)));
        assertEquals(List.of(), done);
        assertNull(semel.find(KeyId.of("", "order", "o-1")));
        assertThrows(IllegalStateException.class, () -> order.durable(Codec.text(), (request, attempt) -> "again"));
    }
}
