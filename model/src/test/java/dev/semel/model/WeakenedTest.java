package dev.semel.model;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule is there for a reason: without it, the checker finds the way to break a law. */
class WeakenedTest {
    @TempDir
    Path folder;

    @Test
    void without_the_token_check_a_late_holder_writes_its_outcome() throws Exception {
        Model.atLeastOnce().breaking("token checked").check(folder).breaks("OnlyTheHolderWrites");
    }

    @Test
    void released_when_time_is_out_the_operation_runs_twice() throws Exception {
        Model.atMostOnce().breaking("doubt when no answer").check(folder).breaks("AtMostOneEffect");
    }

    @Test
    void answered_before_it_is_durable_a_caller_knows_what_is_not_recorded() throws Exception {
        Model.atMostOnce().breaking("durable first").check(folder).breaks("AnswersAreRecorded");
    }

    @Test
    void taken_over_after_the_lease_the_operation_runs_twice() throws Exception {
        Model.atMostOnce().breaking("no take-over").check(folder).breaks("AtMostOneEffect");
    }

    @Test
    void taken_over_because_the_later_caller_would_not_mind_the_operation_runs_twice() throws Exception {
        Model.atLeastOnce()
                .with("Again", "{b}")
                .breaking("both agree")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void a_probe_before_the_request_has_landed_lets_it_run_twice() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .breaking("probe after the flight")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void a_probe_while_the_attempt_is_at_work_lets_it_run_twice() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .with("OneGateway", "TRUE")
                .with("AfterCovers", "\"abandoned\"")
                .breaking("no probe while at work")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void swapped_whatever_the_revision_a_late_holder_overwrites() throws Exception {
        Model.atLeastOnce().breaking("swap by revision").check(folder).breaks("OnlyTheHolderWrites");
    }

    @Test
    void counted_anew_after_a_key_was_forgotten_tokens_repeat() throws Exception {
        Model.atMostOnce()
                .with("Lives", 2)
                .breaking("tokens grow")
                .check(folder)
                .breaks("TokensGrow");
    }

    @Test
    void without_the_skew_of_clients_clocks_a_holder_acts_on_a_lease_that_others_take_for_over() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p}")
                .breaking("skew is added")
                .check(folder)
                .breaks("AtMostOneEffect");
    }

    @Test
    void without_the_skew_of_clients_clocks_a_slow_clock_gives_an_old_token_again() throws Exception {
        Model.atMostOnce()
                .with("Lives", 2)
                .breaking("skew is added")
                .check(folder)
                .breaks("TokensGrow");
    }

    @Test
    void without_the_fingerprint_a_stranger_gets_the_outcome() throws Exception {
        Model.atMostOnce()
                .with("Strangers", "{b}")
                .breaking("payload checked")
                .check(folder)
                .breaks("NoStrangerIsServed");
    }

    @Test
    void not_read_back_a_write_that_never_was_is_told() throws Exception {
        Model.atMostOnce()
                .with("LostAnswers", 1)
                .breaking("unknown is read back")
                .check(folder)
                .breaks("AnswersAreRecorded");
    }

    @Test
    void told_what_is_recorded_a_holder_that_outsleeps_its_key_gets_what_is_anothers() throws Exception {
        Model.atMostOnce()
                .with("Strangers", "{b}")
                .with("Operator", "TRUE")
                .with("Lives", 2)
                .breaking("overtaken checks the payload")
                .check(folder)
                .breaks("NoStrangerIsServed");
    }

    @Test
    void superseded_on_a_free_key_a_true_answer_is_lost() throws Exception {
        // A key is freed under its holder only beyond the promise: by force, or by a probe that comes too early.
        Model.atMostOnce()
                .with("Operator", "TRUE")
                .breaking("late answers count", "no force")
                .check(folder)
                .breaks("TrueWordsCount");
    }

    @Test
    void superseded_on_a_doubt_who_sent_nothing_is_not_believed() throws Exception {
        Model.atMostOnce().breaking("late releases count").check(folder).breaks("TrueWordsCount");
    }
}
