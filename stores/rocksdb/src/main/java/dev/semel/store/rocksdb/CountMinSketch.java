package dev.semel.store.rocksdb;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How often each name was counted, in 16 MiB however many names there are (a count-min sketch). Each name has a cell in
 * each of four rows, and counts as often as the lowest of its cells says. So a number is never too low, and too high only
 * when other names fall on all four of its cells: it is exact for some hundred thousand names, and with more of them too
 * high by about one for every million that was counted in all. For use by any thread.
 */
final class CountMinSketch {
    private static final int ROWS = 4;
    private static final int ROW_BITS = 20;
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final AtomicIntegerArray cells = new AtomicIntegerArray(ROWS << ROW_BITS);

    /** So that nobody can tell from outside which names share cells. */
    private final long seed = ThreadLocalRandom.current().nextLong();

    void add(String name, int more) {
        long hash = hash(name);
        for (int row = 0; row < ROWS; row++) cells.addAndGet(cell(hash, row), more);
    }

    long of(String name) {
        long hash = hash(name);
        int least = Integer.MAX_VALUE;
        for (int row = 0; row < ROWS; row++) least = Math.min(least, cells.get(cell(hash, row)));
        return least;
    }

    private long hash(String name) {
        long hash = seed;
        for (int i = 0; i < name.length(); i++) hash = mixed(hash ^ name.charAt(i));
        return hash;
    }

    private static int cell(long hash, int row) {
        return (row << ROW_BITS) | (int) (mixed(hash + row * GOLDEN) >>> (Long.SIZE - ROW_BITS));
    }

    /** SplitMix64: every bit of the input reaches every bit of the result. */
    private static long mixed(long bits) {
        long half = ((bits + GOLDEN) ^ ((bits + GOLDEN) >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        long whole = (half ^ (half >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return whole ^ (whole >>> 31);
    }
}
