package dev.semel.torture.nemesis;

import java.io.IOException;
import java.util.Random;

/** One thing that can be broken, and mended. For one thread. */
public interface Fault {
    /** Who is struck. No two faults strike the same at a time. */
    String target();

    void strike(Random luck) throws IOException, InterruptedException;

    /** When it returns nothing is broken any more, though it may take whoever was struck a moment to come back. */
    void mend() throws IOException, InterruptedException;
}
