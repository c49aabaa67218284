package dev.semel.torture.check;

import static dev.semel.torture.history.Promise.AT_MOST_ONCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a fail-over of asynchronous replication explains, and what nothing does. */
class LossesTest {
    /** It runs, this happens, and it runs again. */
    private static Story twice(UnaryOperator<Story> meanwhile) {
        Story before = Story.of(AT_MOST_ONCE).sent().effect(1, "a").lost(0);
        return meanwhile
                .apply(before)
                .sent()
                .effect(1, 1001, 1, "b")
                .fresh(1, "b")
                .settled("b");
    }

    @Test
    void a_key_that_ran_twice_around_a_fail_over_is_lost_and_no_violation() {
        CheckResult result = twice(it -> it.failOverSince(it.now())).checkWithLosses();
        assertTrue(result.isClean(), result.violations().toString());
        assertEquals(1, result.doubleEffects());
        assertEquals(result.lossCount(), result.losses().size());
    }

    @Test
    void the_same_on_a_store_that_warns_of_nothing_is_a_violation() {
        CheckResult result = twice(it -> it.failOverSince(it.now())).check();
        assertFalse(result.isClean());
        assertEquals(0, result.lossCount());
    }

    @Test
    void the_same_without_a_fail_over_is_a_violation() {
        CheckResult result = twice(it -> it).checkWithLosses();
        assertFalse(result.isClean());
        assertEquals(0, result.lossCount());
    }

    @Test
    void a_fail_over_before_a_key_was_used_explains_nothing() {
        Story story = Story.of(AT_MOST_ONCE).failOverSince(0);
        CheckResult result = story.sent()
                .effect(1, "a")
                .lost(0)
                .sent()
                .effect(1, 1001, 1, "b")
                .fresh(1, "b")
                .settled("b")
                .checkWithLosses();
        assertEquals(0, result.lossCount());
        assertFalse(result.isClean());
    }

    @Test
    void a_fail_over_after_a_law_was_broken_explains_nothing() {
        CheckResult result = twice(it -> it).failOverSince(1_000).checkWithLosses();
        assertEquals(0, result.lossCount());
        assertFalse(result.isClean());
    }

    @Test
    void no_fail_over_explains_a_lower_token_or_a_key_that_nobody_can_settle() {
        Story tokens = Story.of(AT_MOST_ONCE)
                .sent()
                .effect(1, 1002, 1, "a")
                .failOverSince(0)
                .sent()
                .effect(1, 1001, 1, "b")
                .fresh(1, "b")
                .settled("b");
        assertEquals(
                1,
                tokens.checkWithLosses().violations().stream()
                        .filter(it -> it.law().equals(EffectLaws.NO_LOWER_TOKEN_IS_ACCEPTED.sentence()))
                        .count());
        CheckResult unsettled = Story.of(AT_MOST_ONCE)
                .sent()
                .effect(1, "a")
                .fresh(0, "a")
                .failOverSince(0)
                .settled(503, "store-unavailable")
                .checkWithLosses();
        assertTrue(
                unsettled.violations().stream()
                        .anyMatch(it -> it.law().equals(EndLaws.EVERY_KEY_IS_SETTLED.sentence())),
                unsettled.violations().toString());
    }
}
