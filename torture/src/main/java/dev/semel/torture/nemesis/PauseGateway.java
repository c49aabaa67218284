package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Gateway;
import java.io.IOException;
import java.util.Random;

/** SIGSTOP for longer than a lease: it counts as dead, and comes back with all that it was about to do. */
record PauseGateway(Gateway gateway) implements Fault {
    @Override
    public String target() {
        return gateway.name();
    }

    @Override
    public void strike(Random luck) throws IOException, InterruptedException {
        gateway.pause();
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        gateway.resume();
    }
}
