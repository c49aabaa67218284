package dev.semel.torture.check;

import static dev.semel.torture.history.Promise.AT_LEAST_ONCE;
import static dev.semel.torture.history.Promise.AT_MOST_ONCE;
import static dev.semel.torture.history.Promise.AT_MOST_ONCE_PROBED;
import static dev.semel.torture.history.Promise.JOINED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.torture.history.Event;
import dev.semel.torture.history.History;
import dev.semel.torture.history.Promise;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LawsTest {
    private static void keeps(Story story) {
        assertEquals(Set.of(), story.broken(), () -> story.check().violations().toString());
    }

    private static void breaks(Story story, Law... laws) {
        Set<String> expected = new TreeSet<>();
        for (Law law : laws) expected.add(law.sentence());
        assertEquals(expected, story.broken());
    }

    @ParameterizedTest
    @EnumSource(Promise.class)
    void an_effect_its_answer_and_a_replay_are_lawful(Promise promise) {
        keeps(Story.of(promise).done().sent().replay(1, "b").settled("b"));
    }

    @Test
    void nothing_at_all_is_lawful() {
        assertEquals(0, Checker.check(new History()).count());
    }

    // Effects

    @ParameterizedTest
    @EnumSource(
            value = Promise.class,
            names = {"AT_MOST_ONCE", "AT_MOST_ONCE_PROBED"})
    void a_second_effect_is_one_too_many(Promise promise) {
        breaks(
                Story.of(promise)
                        .sent()
                        .effect(1, "a")
                        .lost(0)
                        .sent()
                        .effect(2, "b")
                        .fresh(1, "b")
                        .settled("b"),
                EffectLaws.AT_MOST_ONE_EFFECT);
    }

    @Test
    void the_same_attempt_that_arrives_twice_is_one_too_many() {
        breaks(
                Story.of(AT_MOST_ONCE)
                        .sent()
                        .effect(1, "b")
                        .effect(1, "b")
                        .fresh(0, "b")
                        .settled("b"),
                EffectLaws.AT_MOST_ONE_EFFECT);
    }

    @Test
    void a_second_effect_of_a_joined_key_is_one_too_many() {
        breaks(
                Story.of(JOINED)
                        .sent()
                        .effect(1, "b")
                        .lost(0)
                        .sent()
                        .effect(2, "b")
                        .fresh(1, "b")
                        .settled("b"),
                EffectLaws.AT_MOST_ONE_EFFECT,
                EffectLaws.JOINED_IS_EXACTLY_ONCE);
    }

    @Test
    void a_joined_key_that_is_answered_without_an_effect_is_one_too_few() {
        breaks(
                Story.of(JOINED).sent().fresh(0, "b").settled("b"),
                EffectLaws.JOINED_IS_EXACTLY_ONCE,
                OutcomeLaws.EACH_COMES_FROM_AN_EFFECT);
    }

    @Test
    void a_joined_key_that_is_in_doubt_is_caught_also_when_it_ends_well() {
        breaks(
                Story.of(JOINED)
                        .sent()
                        .answer(0, 409, "outcome-unknown")
                        .sent()
                        .effect(1, "b")
                        .fresh(1, "b")
                        .settled("b"),
                EffectLaws.JOINED_IS_NEVER_IN_DOUBT);
    }

    @Test
    void a_joined_key_whose_commit_was_not_answered_is_asked_for_again() {
        keeps(Story.of(JOINED)
                .sent()
                .effect(1, "b")
                .answer(0, 503, "store-unavailable")
                .sent()
                .replay(1, "b")
                .settled("b"));
    }

    @Test
    void an_effect_that_was_refused_does_not_count() {
        keeps(Story.of(AT_MOST_ONCE_PROBED)
                .sent()
                .lost(0)
                .sent()
                .effect(2, "b")
                .refused(1, 1001)
                .fresh(1, "b")
                .settled("b"));
    }

    @Test
    void several_effects_with_growing_tokens_are_what_at_least_once_promises() {
        keeps(Story.of(AT_LEAST_ONCE)
                .sent()
                .effect(1, "a")
                .lost(0)
                .sent()
                .effect(2, "b")
                .fresh(1, "b")
                .settled("b"));
    }

    @Test
    void a_late_attempt_that_the_service_accepts_breaks_its_fence() {
        breaks(
                Story.of(AT_LEAST_ONCE)
                        .sent()
                        .lost(0)
                        .sent()
                        .effect(2, "b")
                        .effect(1, "a")
                        .fresh(1, "b")
                        .settled("b"),
                EffectLaws.NO_LOWER_TOKEN_IS_ACCEPTED);
    }

    @Test
    void an_attempt_after_the_outcome_should_not_have_begun() {
        breaks(
                Story.of(AT_LEAST_ONCE)
                        .done()
                        .sent()
                        .effect(2, "c")
                        .replay(1, "b")
                        .settled("b"),
                EffectLaws.NOTHING_RUNS_ONCE_DONE);
    }

    // Tokens

    @Test
    void one_attempt_has_one_token_and_one_token_one_attempt() {
        Story twoTokens = Story.of(AT_LEAST_ONCE).sent().effect(1, 1001, 1, "a").lost(0);
        breaks(twoTokens.sent().effect(1, 1002, 1, "b").fresh(1, "b").settled("b"), TokenLaws.TOKENS_GROW);
        Story oneToken = Story.of(AT_LEAST_ONCE).sent().effect(1, 1001, 1, "b").lost(0);
        breaks(oneToken.sent().effect(2, 1001, 1, "b").fresh(1, "b").settled("b"), TokenLaws.TOKENS_GROW);
    }

    @Test
    void a_later_attempt_has_a_higher_token_also_where_it_was_refused() {
        breaks(
                Story.of(AT_LEAST_ONCE)
                        .sent()
                        .effect(1, 1005, 1, "b")
                        .lost(0)
                        .sent()
                        .refused(2, 1004)
                        .lost(1)
                        .settled("b"),
                TokenLaws.TOKENS_GROW);
        keeps(Story.of(AT_LEAST_ONCE)
                .sent()
                .lost(0)
                .sent()
                .effect(2, 1005, 1, "b")
                .refused(1, 1004)
                .lost(1)
                .settled("b"));
    }

    // Outcomes

    @Test
    void another_body_is_seen_wherever_it_is_told() {
        breaks(
                Story.of(AT_MOST_ONCE).done().sent().replay(1, "c").settled("b"),
                OutcomeLaws.ALL_ARE_THE_SAME,
                OutcomeLaws.EACH_COMES_FROM_AN_EFFECT);
        breaks(
                Story.of(AT_MOST_ONCE).done().settled("c"),
                OutcomeLaws.ALL_ARE_THE_SAME,
                OutcomeLaws.EACH_COMES_FROM_AN_EFFECT);
        breaks(
                Story.of(AT_LEAST_ONCE)
                        .sent()
                        .effect(1, "a")
                        .sent()
                        .effect(2, "b")
                        .fresh(1, "b")
                        .replay(0, "a")
                        .settled("b"),
                OutcomeLaws.ALL_ARE_THE_SAME);
    }

    @Test
    void another_status_is_another_outcome() {
        breaks(
                Story.of(AT_MOST_ONCE)
                        .done()
                        .sent()
                        .with(new Event.Answered(900, 1, 200, "", true, "b"))
                        .settled("b"),
                OutcomeLaws.ALL_ARE_THE_SAME);
    }

    @Test
    void a_success_needs_an_effect_that_was_accepted_before_it() {
        Law law = OutcomeLaws.EACH_COMES_FROM_AN_EFFECT;
        breaks(Story.of(AT_MOST_ONCE).sent().fresh(0, "b").settled("b"), law);
        breaks(Story.of(AT_MOST_ONCE).sent().fresh(0, "b").effect(1, "b").settled("b"), law);
        breaks(
                Story.of(AT_MOST_ONCE)
                        .sent()
                        .refused(1, 1001)
                        .fresh(0, "refused")
                        .settled("refused"),
                law);
        keeps(Story.of(AT_MOST_ONCE)
                .sent()
                .with(new Event.Effect(500, "k", 1, 1001, 1, true, "b"))
                .with(new Event.Answered(500, 0, 201, "", false, "b"))
                .with(new Event.Settled(500, "k", 201, "", "b")));
    }

    @Test
    void a_recorded_refusal_of_the_service_is_an_outcome_too() {
        Story declined = Story.of(AT_MOST_ONCE).sent().effect(1, "p-").answer(0, 402, "");
        keeps(declined.sent()
                .with(new Event.Answered(900, 1, 402, "", true, "p-"))
                .with(new Event.Settled(901, "k", 402, "", "p-")));
        breaks(declined.settled("p-"), OutcomeLaws.ALL_ARE_THE_SAME);
    }

    @Test
    void two_fresh_answers_are_one_too_many() {
        breaks(Story.of(AT_MOST_ONCE).done().sent().fresh(1, "b").settled("b"), OutcomeLaws.ONE_IS_FRESH);
    }

    @ParameterizedTest
    @CsvSource({
        "409, in-progress",
        "409, outcome-unknown",
        "410, key-spent",
        "429, too-many-waiters",
        "502, outcome-unknown",
        "502, upstream-unreachable",
        "504, outcome-unknown",
        "503, ''"
    })
    void these_answers_mean_that_an_outcome_was_lost(int status, String problem) {
        breaks(
                Story.of(AT_MOST_ONCE).done().sent().answer(1, status, problem).settled("b"),
                OutcomeLaws.NONE_DISAPPEARS);
        // Sent before the outcome was known, it may be told any of these but one.
        Story early = Story.of(AT_MOST_ONCE)
                .sent()
                .sent()
                .effect(1, "b")
                .fresh(0, "b")
                .answer(1, status, problem);
        if (problem.equals("key-spent")) breaks(early.settled("b"), OutcomeLaws.NONE_DISAPPEARS);
        else keeps(early.settled("b"));
    }

    @ParameterizedTest
    @CsvSource({"503, store-unavailable", "503, stopping", "408, too-slow"})
    void these_answers_say_nothing_of_the_key(int status, String problem) {
        keeps(Story.of(AT_MOST_ONCE)
                .done()
                .sent()
                .answer(1, status, problem)
                .sent()
                .lost(2)
                .settled("b"));
    }

    @Test
    void a_success_that_is_unknown_at_last_was_lost() {
        breaks(Story.of(AT_MOST_ONCE).done().settled(409, "outcome-unknown"), OutcomeLaws.NONE_DISAPPEARS);
        keeps(Story.of(AT_MOST_ONCE).sent().effect(1, "b").lost(0).settled(409, "outcome-unknown"));
    }

    // Payloads

    @Test
    void another_payload_is_refused_once_there_is_an_outcome() {
        keeps(Story.of(AT_MOST_ONCE).done().sent(2).answer(1, 422, "key-reused").settled("b"));
        keeps(Story.of(AT_MOST_ONCE)
                .done()
                .sent(2)
                .answer(1, 503, "store-unavailable")
                .settled("b"));
        breaks(
                Story.of(AT_MOST_ONCE).done().sent(2).replay(1, "b").settled("b"),
                PayloadLaws.ONE_PAYLOAD,
                PayloadLaws.ANOTHER_IS_REFUSED);
        breaks(
                Story.of(AT_MOST_ONCE)
                        .done()
                        .sent(2)
                        .answer(1, 409, "in-progress")
                        .settled("b"),
                PayloadLaws.ANOTHER_IS_REFUSED);
        keeps(Story.of(AT_MOST_ONCE)
                .sent()
                .sent(2)
                .effect(1, "b")
                .fresh(0, "b")
                .answer(1, 422, "key-reused")
                .settled("b"));
    }

    @Test
    void the_effect_is_of_the_payload_that_succeeds() {
        breaks(
                Story.of(AT_MOST_ONCE)
                        .sent()
                        .sent(2)
                        .effect(1, 1001, 2, "b")
                        .fresh(0, "b")
                        .lost(1)
                        .settled("b"),
                PayloadLaws.ONE_PAYLOAD);
        breaks(
                Story.of(AT_LEAST_ONCE)
                        .sent()
                        .effect(1, "a")
                        .lost(0)
                        .sent(2)
                        .effect(2, 1002, 2, "b")
                        .lost(1)
                        .settled("b"),
                PayloadLaws.ONE_PAYLOAD);
    }

    @Test
    void what_is_refused_as_reused_is_reused() {
        breaks(
                Story.of(AT_MOST_ONCE)
                        .done()
                        .sent()
                        .answer(1, 422, "key-reused")
                        .settled("b"),
                PayloadLaws.REFUSED_IS_ANOTHER,
                OutcomeLaws.NONE_DISAPPEARS);
        breaks(
                Story.of(AT_MOST_ONCE)
                        .sent()
                        .answer(0, 422, "key-reused")
                        .sent(2)
                        .effect(1, 1001, 2, "b")
                        .fresh(1, "b")
                        .settled("b"),
                PayloadLaws.REFUSED_IS_ANOTHER);
        breaks(
                Story.of(AT_MOST_ONCE)
                        .sent(2)
                        .lost(0)
                        .sent()
                        .answer(1, 422, "key-reused")
                        .effect(1, "b")
                        .settled("b"),
                PayloadLaws.REFUSED_IS_ANOTHER);
    }

    // Sending

    @ParameterizedTest
    @CsvSource({"502, upstream-unreachable", "503, store-unavailable", "409, in-progress", "422, key-reused"})
    void the_only_call_cannot_have_sent_nothing_when_there_is_an_effect(int status, String problem) {
        Story story = Story.of(AT_MOST_ONCE).sent().effect(1, "b").answer(0, status, problem);
        assertTrue(story.settled(409, "outcome-unknown").broken().contains(SendingLaws.NOT_SENT_IS_TRUE.sentence()));
    }

    @Test
    void an_effect_before_any_call_that_can_have_made_it_is_a_lie() {
        Story early = Story.of(AT_MOST_ONCE)
                .sent()
                .answer(0, 502, "upstream-unreachable")
                .effect(1, "b");
        breaks(early.sent().replay(1, "b").settled("b"), SendingLaws.NOT_SENT_IS_TRUE);
        keeps(Story.of(AT_MOST_ONCE)
                .sent()
                .answer(0, 502, "upstream-unreachable")
                .sent()
                .effect(2, "b")
                .replay(1, "b")
                .settled("b"));
    }

    @Test
    void the_last_word_may_be_asked_for_by_a_call_that_runs() {
        keeps(Story.of(AT_MOST_ONCE)
                .sent()
                .answer(0, 502, "upstream-unreachable")
                .effect(1, "b")
                .settled("b"));
    }

    // Ends

    @Test
    void every_key_has_a_last_word() {
        breaks(Story.of(AT_MOST_ONCE).done(), EndLaws.EVERY_KEY_IS_SETTLED);
        breaks(Story.of(AT_MOST_ONCE).sent().lost(0).settled(409, "in-progress"), EndLaws.EVERY_KEY_IS_SETTLED);
    }

    @ParameterizedTest
    @EnumSource(Promise.class)
    void only_at_most_once_without_a_probe_may_stay_unknown(Promise promise) {
        Story story = Story.of(promise).sent().lost(0).settled(409, "outcome-unknown");
        if (promise == AT_MOST_ONCE) keeps(story);
        else breaks(story, EndLaws.EVERY_KEY_IS_SETTLED);
    }

    @ParameterizedTest
    @CsvSource({
        "500, internal-error",
        "502, ''",
        "504, ''",
        "409, outcome-known",
        "503, in-progress",
        "400, bad-request",
        "101, ''"
    })
    void an_answer_that_is_not_documented_is_seen(int status, String problem) {
        Story story = Story.of(AT_MOST_ONCE)
                .sent()
                .answer(0, status, problem)
                .sent()
                .effect(1, "b")
                .fresh(1, "b")
                .settled("b");
        breaks(story, EndLaws.EVERY_ANSWER_IS_DOCUMENTED);
    }

    @Test
    void an_error_of_nobody_knows_whom_is_an_outcome_without_an_effect() {
        breaks(
                Story.of(AT_MOST_ONCE).sent().answer(0, 500, "").settled(500, ""),
                OutcomeLaws.EACH_COMES_FROM_AN_EFFECT);
    }

    @ParameterizedTest
    @CsvSource({
        "409, in-progress",
        "429, quota-exceeded",
        "502, upstream-unreachable",
        "503, store-unavailable",
        "503, ''",
        "504, outcome-unknown"
    })
    void an_answer_that_is_documented_passes(int status, String problem) {
        keeps(Story.of(AT_MOST_ONCE)
                .sent()
                .answer(0, status, problem)
                .sent()
                .effect(1, "b")
                .fresh(1, "b")
                .settled("b"));
    }

    @Test
    void a_history_that_cannot_be_is_no_proof() {
        breaks(Story.of(AT_MOST_ONCE).done().lost(0).settled("b"), EndLaws.THE_HISTORY_MAKES_SENSE);
        breaks(Story.of(AT_MOST_ONCE).lost(7).done().settled("b"), EndLaws.THE_HISTORY_MAKES_SENSE);
        Event.Sent sameNumber = new Event.Sent(900, 0, 1, "k", 1, AT_MOST_ONCE, "g");
        breaks(Story.of(AT_MOST_ONCE).done().settled("b").with(sameNumber), EndLaws.THE_HISTORY_MAKES_SENSE);
        breaks(
                Story.of(AT_MOST_ONCE)
                        .done()
                        .with(new Event.Sent(900, 5, 1, "k", 1, JOINED, "g"))
                        .with(new Event.Settled(950, "k", 201, "", "b")),
                EndLaws.THE_HISTORY_MAKES_SENSE);
        breaks(
                Story.of(AT_MOST_ONCE).done().settled("b").with(new Event.Effect(950, "other", 1, 1, 1, true, "x")),
                EndLaws.THE_HISTORY_MAKES_SENSE,
                SendingLaws.NOT_SENT_IS_TRUE);
    }

    @Test
    void of_many_violations_all_are_counted_and_some_are_kept() {
        History history = new History();
        for (int i = 0; i < 1000; i++) history.append(new Event.Sent(i, i, 1, "k" + i, 1, AT_MOST_ONCE, "g"));
        CheckResult result = Checker.check(history);
        assertEquals(1000, result.count());
        assertEquals(CheckResult.KEPT_PER_LAW, result.violations().size());
        assertEquals(1000, result.keys());
    }
}
