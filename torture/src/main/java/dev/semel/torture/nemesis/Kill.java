package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Mortal;
import java.io.IOException;
import java.util.Random;

/** SIGKILL, and a new process later. */
record Kill(Mortal victim) implements Fault {
    @Override
    public String target() {
        return victim.name();
    }

    @Override
    public void strike(Random luck) throws IOException, InterruptedException {
        victim.kill();
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        victim.start();
    }
}
