package dev.semel.cli;

import java.util.concurrent.ThreadLocalRandom;

/** Where the randomness of a test comes from: printed, and given again with {@code -Dsemel.seed=N}. */
final class Seed {
    private Seed() {}

    static long of(String test) {
        long seed = Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
        System.out.println(test + ": seed " + seed);
        return seed;
    }
}
