package dev.semel.torture.nemesis;

import dev.semel.torture.system.ManagedProcess;
import java.io.IOException;
import java.util.Random;

/** SIGKILL, and a new process later. */
record Kill(ManagedProcess victim) implements Fault {
    @Override
    public String target() {
        return victim.name();
    }

    @Override
    public void inject(Random random) throws IOException, InterruptedException {
        victim.kill();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        victim.start();
    }
}
