package dev.semel.bench.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ClosedLoopTest {
    private static final Duration MOMENT = Duration.ofMillis(50);

    private final Set<Long> numbers = ConcurrentHashMap.newKeySet();

    @Test
    void a_counted_loop_uses_every_number_once_and_leaves_no_gap_to_the_next() throws Exception {
        ClosedLoop loop = ClosedLoop.ofVirtualThreads(7);
        assertEquals(100, loop.count(this::addNew, 100).operations());
        assertEquals(50, loop.count(this::addNew, 50).operations());
        assertEquals(149, new TreeSet<>(numbers).last());
        assertEquals(150, numbers.size());
    }

    @Test
    void a_timed_loop_never_uses_a_number_twice() throws Exception {
        ClosedLoop loop = ClosedLoop.ofThreads(3);
        LoopResult first = loop.run(this::addNew, MOMENT);
        LoopResult second = loop.run(this::addNew, MOMENT);
        assertEquals(0, first.errors() + second.errors(), first.firstError() + second.firstError());
        assertEquals(numbers.size(), first.operations() + second.operations());
        assertTrue(first.p50().compareTo(first.p99()) <= 0 && first.p99().compareTo(first.max()) <= 0);
    }

    @Test
    void what_throws_is_an_error_and_the_loop_goes_on() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        LoopResult looped = ClosedLoop.ofThreads(1)
                .count(
                        number -> {
                            calls.incrementAndGet();
                            if (number % 2 == 1) throw new IllegalStateException("odd");
                        },
                        10);
        assertEquals(10, calls.get());
        assertEquals(5, looped.operations());
        assertEquals(5, looped.errors());
        assertTrue(looped.firstError().contains("odd"), looped.firstError());
    }

    @Test
    void repeated_numbers_stay_below_the_bound_and_the_result_can_be_told_as_a_line() throws Exception {
        LoopResult looped = ClosedLoop.ofThreads(2).repeat(numbers::add, MOMENT, 5);
        assertEquals(Set.of(0L, 1L, 2L, 3L, 4L), numbers);
        assertEquals(looped, LoopResult.parse(looped.line()));
    }

    private void addNew(long number) {
        if (!numbers.add(number)) throw new IllegalStateException("again: " + number);
    }
}
