package dev.semel.model;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hand-over of messages keeps its laws, and each of its rules is there for a reason. */
class HandOverTest {
    private static final HandOver FLOOR =
            HandOver.of(2).with("Others", "{2}").with("Epochs", 1).with("Marks", 1);
    private static final HandOver LETTERS = HandOver.of(3).with("Epochs", 1).with("Refusals", 1);

    @TempDir
    Path folder;

    @Test
    void whatever_commits_in_whatever_order_is_not_passed_over() throws Exception {
        FLOOR.with("Epochs", Bounds.pick(1, 3))
                .with("LostAnswers", Bounds.pick(0, 1))
                .check(folder)
                .holdsIn(1_000, 60_000);
    }

    @Test
    void relays_that_hang_or_crash_and_answers_that_are_lost_lose_nothing() throws Exception {
        HandOver.of(2)
                .with("Epochs", Bounds.pick(2, 3))
                .with("Others", Bounds.pick("{}", "{2}"))
                .with("Refusals", 1)
                .with("Orders", 1)
                .with("LostAnswers", 1)
                .check(folder)
                .holdsIn(1_000, 60_000);
    }

    @Test
    void what_waits_behind_a_dead_letter_follows_it_in_order() throws Exception {
        LETTERS.with("Refusals", 2)
                .with("Orders", Bounds.pick(1, 2))
                .with("LostAnswers", Bounds.pick(0, 1))
                .check(folder)
                .holdsIn(1_000, 60_000);
    }

    @Test
    void with_a_floor_that_does_not_wait_for_the_horizon_a_late_commit_is_passed_over() throws Exception {
        FLOOR.breaking("wait for the horizon").check(folder).breaks("NothingIsPassedOver");
    }

    @Test
    void with_a_number_drawn_before_the_transactions_a_late_commit_is_passed_over() throws Exception {
        FLOOR.breaking("transaction before message").check(folder).breaks("NothingIsPassedOver");
    }

    @Test
    void with_a_mark_taken_in_the_other_order_a_late_commit_is_passed_over() throws Exception {
        FLOOR.breaking("mark the number first").check(folder).breaks("NothingIsPassedOver");
    }

    @Test
    void without_the_epoch_a_late_relay_deletes() throws Exception {
        HandOver.of(1).breaking("epoch checked").check(folder).breaks("NothingIsDeletedLate");
    }

    @Test
    void deleted_without_an_answer_a_message_is_lost() throws Exception {
        HandOver.of(1)
                .with("LostAnswers", 1)
                .breaking("no answer is no yes")
                .check(folder)
                .breaks("NothingIsLost");
    }

    @Test
    void begun_too_late_in_a_lease_a_message_arrives_that_was_dropped() throws Exception {
        HandOver.of(1)
                .with("Refusals", 1)
                .with("Orders", 1)
                .breaking("over before the lease is")
                .check(folder)
                .breaks("WhatWasDroppedStaysAway");
    }

    @Test
    void sent_behind_a_refused_message_of_its_key_a_message_overtakes_it() throws Exception {
        HandOver.of(2)
                .with("Refusals", 1)
                .breaking("nothing behind a refused one")
                .check(folder)
                .breaks("KeysArriveInOrder");
    }

    @Test
    void where_a_pause_is_the_messages_alone_the_next_of_its_key_overtakes_it() throws Exception {
        HandOver.of(2)
                .with("Refusals", 1)
                .breaking("hold back the key")
                .check(folder)
                .breaks("KeysArriveInOrder");
    }

    @Test
    void with_a_tail_that_does_not_wait_it_overtakes_the_dead_letter() throws Exception {
        HandOver.of(2)
                .with("Epochs", 1)
                .with("Refusals", 1)
                .with("Orders", 1)
                .breaking("the tail waits")
                .check(folder)
                .breaks("KeysArriveInOrder");
    }

    @Test
    void moved_behind_a_key_that_is_not_parked_any_more_a_message_is_forgotten() throws Exception {
        HandOver.of(2)
                .with("Epochs", 1)
                .with("Refusals", 1)
                .with("Orders", 1)
                .breaking("a tail needs a parked key")
                .check(folder)
                .breaks("LettersParkTheirKeys");
    }

    @Test
    void with_a_key_let_go_before_its_last_letter_the_rest_is_forgotten() throws Exception {
        LETTERS.with("Refusals", 2)
                .with("Orders", 1)
                .breaking("parked to the last letter")
                .check(folder)
                .breaks("LettersParkTheirKeys");
    }

    @Test
    void with_letters_that_do_not_wait_for_one_that_is_refused_again_they_overtake_it() throws Exception {
        HandOver.of(2)
                .with("Epochs", 1)
                .with("Refusals", 2)
                .with("Orders", 2)
                .breaking("letters in order")
                .check(folder)
                .breaks("KeysArriveInOrder");
    }
}
