package dev.semel.http.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.core.key.Outcome;
import org.junit.jupiter.api.Test;

class AcceptedWritesTest {
    private static AcceptedWrites.Write write(long id, long version) {
        return new AcceptedWrites.Write(id, version);
    }

    @Test
    void the_last_version_is_the_highest_of_those_that_may_have_run() {
        assertEquals(-1, AcceptedWrites.NOTHING.last());
        AcceptedWrites both = AcceptedWrites.NOTHING.with(write(1, 7)).with(write(2, 8));
        assertEquals(8, both.last());
        assertEquals(7, both.without(write(2, 8)).last());
        assertEquals(8, both.without(write(1, 7)).last());
        assertEquals(8, both.without(write(3, 8)).last(), "another write of the same version");
        assertEquals(-1, both.without(write(1, 7)).without(write(2, 8)).last());
    }

    @Test
    void of_many_writes_the_oldest_can_no_longer_be_withdrawn() {
        AcceptedWrites many = AcceptedWrites.NOTHING;
        for (int i = 1; i <= 100; i++) many = many.with(write(i, i));
        assertEquals(100, many.last());
        assertFalse(many.has(write(92, 92)));
        for (int i = 1; i <= 100; i++) many = many.without(write(i, i));
        assertEquals(92, many.last());
    }

    @Test
    void it_is_read_back_as_it_was() {
        AcceptedWrites some = new AcceptedWrites(
                5, AcceptedWrites.NOTHING.with(write(-3, 7)).with(write(4, 9)).latest());
        assertEquals(some, AcceptedWrites.of(Outcome.ofStored(some.outcome().encoded())));
        assertEquals(AcceptedWrites.NOTHING, AcceptedWrites.of(AcceptedWrites.NOTHING.outcome()));
        assertEquals(some.outcome().encoded().length, some.outcome().clear(), "no secret");
    }

    @Test
    void other_outcomes_are_no_versions() {
        assertNull(AcceptedWrites.of(Outcome.ofStored(new byte[0])));
        assertNull(AcceptedWrites.of(Outcome.of(new byte[8])));
        for (int length : new int[] {0, 7, 9, 16, 25})
            assertNull(AcceptedWrites.of(Outcome.of(Outcome.Format.WRITE_ORDER, new byte[length], 0)));
    }
}
