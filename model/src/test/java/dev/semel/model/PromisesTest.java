package dev.semel.model;

import static dev.semel.model.Bounds.pick;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is promised holds in every state that can be reached. */
class PromisesTest {
    @TempDir
    Path folder;

    @Test
    void at_most_once_with_an_operator_and_answers_of_the_store_that_get_lost() throws Exception {
        Model.atMostOnce()
                .with("Operator", "TRUE")
                .with("LostAnswers", pick(1, 2))
                .check(folder)
                .holdsIn(9_000, 37_000);
    }

    @Test
    void at_most_once_with_a_stranger_a_probe_and_a_renewal() throws Exception {
        Model.atMostOnce()
                .with("Attempts", pick("{a, b, c}", "{a, b, c, d}"))
                .with("Strangers", "{c}")
                .with("Probers", "{p}")
                .with("Renewals", 1)
                .check(folder)
                .holdsIn(3_500, 15_000);
    }

    @Test
    void at_most_once_with_two_who_probe_and_know_nothing_of_each_other() throws Exception {
        Model.atMostOnce()
                .with("Probers", "{p, q}")
                .with("LostAnswers", pick(0, 1))
                .check(folder)
                .holdsIn(6_500, 27_000);
    }

    @Test
    void at_most_once_in_one_gateway_whose_probe_waits_for_the_attempt_at_work() throws Exception {
        Model.atMostOnce()
                .with("Attempts", pick("{a, b}", "{a, b, c}"))
                .with("Probers", pick("{p}", "{p, q}"))
                .with("OneGateway", "TRUE")
                .with("AfterCovers", "\"abandoned\"")
                .with("LostAnswers", pick(0, 1))
                .check(folder)
                .holdsIn(130, 520);
    }

    @Test
    void at_most_once_across_two_lives_of_a_key() throws Exception {
        Model.atMostOnce()
                .with("Attempts", pick("{a, b}", "{a, b, c}"))
                .with("Strangers", "{b}")
                .with("Operator", "TRUE")
                .with("Lives", 2)
                .check(folder)
                .holdsIn(6_500, 27_000);
    }

    /** Nobody checks there whether the lease still runs before an effect; nor does anybody probe such a key. */
    @Test
    void at_most_once_with_holders_elsewhere_who_act_however_late() throws Exception {
        Model.atMostOnce()
                .with("Attempts", pick("{a, b, c}", "{a, b, c, d}"))
                .with("Strangers", "{c}")
                .with("LostAnswers", pick(0, 1))
                .breaking("no pause after the look")
                .check(folder)
                .holdsIn(240, 1_000);
    }

    @Test
    void at_least_once_with_answers_of_the_store_that_get_lost() throws Exception {
        Model.atLeastOnce()
                .with("LostAnswers", pick(1, 2))
                .with("Renewals", pick(0, 1))
                .check(folder)
                .holdsIn(5_500, 23_000);
    }

    @Test
    void at_least_once_with_three_attempts() throws Exception {
        Model.atLeastOnce()
                .with("Attempts", "{a, b, c}")
                .with("Strangers", pick("{c}", "{}"))
                .with("Renewals", pick(0, 1))
                .check(folder)
                .holdsIn(500, 20_000);
    }

    @Test
    void both_where_callers_of_one_key_were_promised_different_things() throws Exception {
        Model.atLeastOnce()
                .with("Attempts", "{a, b, c}")
                .with("Again", "{b, c}")
                .with("Operator", pick("FALSE", "TRUE"))
                .check(folder)
                .holdsIn(8_000, 33_000);
    }

    /** What at-most-once cannot bear is harmless here, where the upstream checks tokens. */
    @Test
    void at_least_once_with_a_pause_in_the_wrong_place() throws Exception {
        Model.atLeastOnce()
                .with("Attempts", pick("{a, b}", "{a, b, c}"))
                .with("Lives", 2)
                .breaking("no pause after the look")
                .check(folder)
                .holdsIn(500, 50_000);
    }
}
