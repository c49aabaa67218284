package dev.semel.core.key;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * New ids that sort by the time at which they were made: UUIDs of version 7 (RFC 9562). For keys that a client makes up, and for
 * rows, which then go to the end of their index.
 *
 * <p>Ids of one process only grow, also while its clock is set back, and however many are made in a millisecond: from the
 * 4,096th on they take the next millisecond's. Those of several processes are in order as far as their clocks are. 62 bits are
 * random, and not to be guessed. Safe for use by any thread.
 */
public final class TimeOrderedId {
    private static final int COUNTER_BITS = 12;

    private static final TimeOrderedId HERE = new TimeOrderedId(System::currentTimeMillis);

    private final LongSupplier millis;
    private final SecureRandom random = new SecureRandom();

    /** The time and the counter of the last id. */
    private final AtomicLong last = new AtomicLong();

    TimeOrderedId(LongSupplier millis) {
        this.millis = millis;
    }

    /** An id greater than every one before. */
    public static UUID next() {
        return HERE.make();
    }

    UUID make() {
        long now = millis.getAsLong() << COUNTER_BITS;
        long tick = last.updateAndGet(before -> Math.max(before + 1, now));
        long high = (tick & ~0xfffL) << 4 | 0x7000L | (tick & 0xfffL);
        long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
