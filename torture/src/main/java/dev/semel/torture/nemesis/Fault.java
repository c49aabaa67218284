package dev.semel.torture.nemesis;

import java.io.IOException;
import java.util.Random;

/** One thing that can be broken, and healed. For one thread. */
public interface Fault {
    /** What it breaks. No two faults have the same target at a time. */
    String target();

    void inject(Random random) throws IOException, InterruptedException;

    /** When it returns nothing is broken any more, though the target may take a moment to come back. */
    void heal() throws IOException, InterruptedException;
}
