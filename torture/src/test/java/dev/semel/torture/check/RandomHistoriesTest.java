package dev.semel.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import dev.semel.torture.history.KeyHistory;
import dev.semel.torture.history.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a layer that keeps its promises does is lawful, and any one thing that it does wrong is seen. */
class RandomHistoriesTest {
    private static final int KEYS = 20_000;

    private final long seed = System.nanoTime();

    private List<List<Event>> lawfulKeys(int count) {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<List<Event>> keys = new ArrayList<>();
        int calls = 0;
        for (int i = 0; i < count; i++) {
            LawfulKey key = new LawfulKey(random, Promise.values()[i % 4], "k" + i, calls);
            keys.add(key.live());
            calls += key.calls();
        }
        return keys;
    }

    private static CheckResult check(List<Event> events) {
        History history = new History();
        events.stream().sorted(Comparator.comparingLong(Event::at)).forEach(history::append);
        return Checker.check(history);
    }

    @Test
    void what_a_lawful_layer_does_is_lawful() {
        List<Event> all = new ArrayList<>();
        lawfulKeys(KEYS).forEach(all::addAll);
        CheckResult result = check(all);
        assertTrue(
                result.isClean(),
                () -> "seed " + seed + ": " + result.violations().getFirst() + "\n"
                        + result.violations().getFirst().history());
        assertEquals(KEYS, result.keys());
        for (CheckResult.LawTally law : result.laws()) {
            System.out.println(law);
            assertTrue(law.keys() > KEYS / 100, () -> "too few to say anything: " + law);
        }
    }

    @ParameterizedTest
    @EnumSource(Mutation.class)
    void every_wrong_is_seen_wherever_it_is_done(Mutation mutation) {
        Random random = new Random(seed);
        int done = 0;
        for (List<Event> events : lawfulKeys(3_000)) {
            List<Event> wrong = mutation.apply(KeyHistory.of(events), random);
            if (wrong == null) continue;
            done++;
            CheckResult result = check(wrong);
            assertTrue(
                    result.violations().stream().anyMatch(it -> it.law().equals(mutation.seenBy.sentence())),
                    () -> "seed " + seed + ": not seen in " + wrong + ", only " + result.violations());
        }
        System.out.println(mutation + " done to " + done + " keys");
        assertTrue(done >= 10, "done to " + done + " keys only");
    }
}
