package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Disk;
import dev.semel.torture.cast.Mortal;
import java.io.IOException;
import java.util.Random;

/** The disk of the store forgets everything that was not synced, and whoever keeps the store dies with it. */
record PowerLoss(Disk disk, Mortal keeper) implements Fault {
    @Override
    public String target() {
        return keeper.name();
    }

    @Override
    public void strike(Random luck) throws IOException, InterruptedException {
        // Nobody may act on what a disk says that is just losing its power: a real machine is gone by then.
        keeper.pause();
        disk.losePower();
        keeper.kill();
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        disk.regainPower();
        keeper.start();
    }
}
