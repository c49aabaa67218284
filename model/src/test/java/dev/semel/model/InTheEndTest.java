package dev.semel.model;

import static dev.semel.model.Bounds.pick;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must come about, if everyone who can take a step takes it sooner or later, or crashes. */
class InTheEndTest {
    @TempDir
    Path folder;

    @Test
    void at_most_once_every_key_is_done_or_free_or_in_doubt() throws Exception {
        Model.atMostOnce()
                .with("LostAnswers", pick(0, 1))
                .alsoInTheEnd("NothingStaysInProgress", "EveryAttemptEnds")
                .check(folder)
                .holdsIn(150, 2_000);
    }

    @Test
    void at_most_once_also_when_an_answer_of_the_store_got_lost() throws Exception {
        Model.atMostOnce()
                .with("Attempts", pick("{a}", "{a, b}"))
                .with("Probers", "{p}")
                .with("LostAnswers", 1)
                .alsoInTheEnd("NothingStaysInProgress", "EveryAttemptEnds")
                .check(folder)
                .holdsIn(500, 3_000);
    }

    @Test
    void at_least_once_every_key_is_done_or_can_be_taken() throws Exception {
        Model.atLeastOnce()
                .with("Attempts", pick("{a}", "{a, b}"))
                .with("LostAnswers", 1)
                .with("Renewals", pick(1, 0))
                .alsoInTheEnd("NothingStaysInProgress", "EveryAttemptEnds")
                .check(folder)
                .holdsIn(150, 2_000);
    }

    @Test
    void unwatched_a_key_whose_holder_died_stays_in_progress() throws Exception {
        Model.atMostOnce()
                .with("Attempts", "{a}")
                .breaking("silence is watched")
                .alsoInTheEnd("NothingStaysInProgress")
                .check(folder)
                .neverComesAbout();
    }
}
