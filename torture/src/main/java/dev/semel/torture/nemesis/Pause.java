package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Mortal;
import java.io.IOException;
import java.util.Random;

/** SIGSTOP: its connections stay, nothing answers, and it comes back in the middle of what it was about to do. */
record Pause(Mortal victim) implements Fault {
    @Override
    public String target() {
        return victim.name();
    }

    @Override
    public void strike(Random luck) throws IOException, InterruptedException {
        victim.pause();
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        victim.resume();
    }
}
