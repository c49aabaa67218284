package dev.semel.torture.nemesis;

import dev.semel.torture.system.ManagedProcess;
import java.io.IOException;
import java.util.Random;

/** SIGSTOP: its connections stay, nothing answers, and it comes back in the middle of what it was about to do. */
record Pause(ManagedProcess victim) implements Fault {
    @Override
    public String target() {
        return victim.name();
    }

    @Override
    public void inject(Random random) throws IOException, InterruptedException {
        victim.pause();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        victim.resume();
    }
}
