package dev.semel.gateway;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * A body that comes in pieces, in one array that grows with it. Room for the array is asked for before it is made, so what
 * is counted is what is held. For one event loop.
 */
final class BodyBytes {
    private static final byte[] NONE = {};
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    /** Where room is asked for. */
    interface Room {
        /**
         * Asks for more.
         *
         * @param whole what the array will have then
         * @return whether there is room
         */
        boolean grow(int more, int whole);
    }

    private final Room room;
    private final long announced;
    private final boolean atOnce;
    private byte[] bytes = NONE;
    private int length;

    private BodyBytes(long announced, boolean atOnce, Room room) {
        this.announced = announced;
        this.atOnce = atOnce;
        this.room = room;
    }

    /**
     * A body that anyone may have announced: it has room as it comes.
     *
     * @param announced how many bytes are to come, or 0: the last array has the right size then
     */
    static BodyBytes asItComes(long announced, Room room) {
        return new BodyBytes(announced, false, room);
    }

    /** A body whose sender is trusted to send what it announced: it has all its room at once, or none. */
    static BodyBytes atOnce(long announced, Room room) {
        return new BodyBytes(announced, true, room);
    }

    int length() {
        return length;
    }

    /** @return whether there was room; if not, nothing has changed */
    boolean append(Buffer piece) {
        long needed = (long) length + piece.length();
        if (needed > LONGEST_ARRAY || (needed > bytes.length && !grow(needed))) return false;
        piece.getBytes(bytes, length);
        length = (int) needed;
        return true;
    }

    /** Twice the size each time; the announced size at once, or as soon as a good part of it has come. */
    private boolean grow(long needed) {
        long doubled = Math.max(needed, 2L * bytes.length);
        long wanted = needed <= announced && (atOnce || 2 * doubled >= announced) ? announced : doubled;
        int capacity = (int) Math.min(wanted, LONGEST_ARRAY);
        if (!room.grow(capacity - bytes.length, capacity)) return false;
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }

    /** All of it. Nothing is kept here: whoever still knows this object does not hold the body. */
    byte[] take() {
        byte[] whole = bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
        bytes = NONE;
        length = 0;
        return whole;
    }
}
