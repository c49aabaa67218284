package dev.semel.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LetThroughTest {
    private static LetThrough.Write write(long id, long version) {
        return new LetThrough.Write(id, version);
    }

    @Test
    void the_last_version_is_the_highest_of_those_that_may_have_run() {
        assertEquals(-1, LetThrough.NOTHING.last());
        LetThrough both = LetThrough.NOTHING.with(write(1, 7)).with(write(2, 8));
        assertEquals(8, both.last());
        assertEquals(7, both.without(write(2, 8)).last());
        assertEquals(8, both.without(write(1, 7)).last());
        assertEquals(8, both.without(write(3, 8)).last(), "another write of the same version");
        assertEquals(-1, both.without(write(1, 7)).without(write(2, 8)).last());
    }

    @Test
    void of_many_writes_the_oldest_can_no_longer_be_withdrawn() {
        LetThrough many = LetThrough.NOTHING;
        for (int i = 1; i <= 100; i++) many = many.with(write(i, i));
        assertEquals(100, many.last());
        assertFalse(many.has(write(92, 92)));
        for (int i = 1; i <= 100; i++) many = many.without(write(i, i));
        assertEquals(92, many.last());
    }

    @Test
    void it_is_read_back_as_it_was_and_so_is_what_an_older_program_wrote() {
        LetThrough some = new LetThrough(
                5, LetThrough.NOTHING.with(write(-3, 7)).with(write(4, 9)).latest());
        assertEquals(some, LetThrough.ofBytes(some.bytes()));
        assertEquals(LetThrough.NOTHING, LetThrough.ofBytes(LetThrough.NOTHING.bytes()));
        byte[] older = ByteBuffer.allocate(9).put((byte) 1).putLong(42).array();
        assertEquals(42, Objects.requireNonNull(LetThrough.ofBytes(older)).last());
    }

    @Test
    void other_bytes_are_no_versions() {
        assertNull(LetThrough.ofBytes(new byte[0]));
        assertNull(LetThrough.ofBytes(new byte[8]));
        assertNull(LetThrough.ofBytes(new byte[9]));
        assertNull(LetThrough.ofBytes(ByteBuffer.allocate(10).put((byte) 1).array()));
        assertNull(LetThrough.ofBytes(ByteBuffer.allocate(20).put((byte) 2).array()));
        assertTrue(LetThrough.NOTHING.bytes().length > 0);
    }
}
