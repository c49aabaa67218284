package dev.semel.store.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.store.StoreException;
import org.junit.jupiter.api.Test;

class HangDetectorTest {
    private final HangDetector hangs = new HangDetector();

    @Test
    void after_a_silence_callers_are_refused_until_one_is_answered() {
        hangs.timedOut(hangs.begin());
        StoreException refused = assertThrows(StoreException.class, hangs::begin);
        assertEquals(StoreException.Applied.NO, refused.applied());
        hangs.answered();
        hangs.begin();
    }

    @Test
    void one_late_answer_among_others_that_arrive_is_no_hang() {
        long late = hangs.begin();
        hangs.begin();
        hangs.answered();
        hangs.timedOut(late);
        hangs.begin();
    }
}
