package dev.semel.torture.nemesis;

import dev.semel.torture.system.Disk;
import dev.semel.torture.system.ManagedProcess;
import java.io.IOException;
import java.util.Random;

/** The disk of the store forgets everything that was not synced, and whoever keeps the store dies with it. */
record PowerLoss(Disk disk, ManagedProcess storeProcess) implements Fault {
    @Override
    public String target() {
        return storeProcess.name();
    }

    @Override
    public void inject(Random random) throws IOException, InterruptedException {
        // Nobody may act on what a disk says that is just losing its power: a real machine is gone by then.
        storeProcess.pause();
        disk.losePower();
        storeProcess.kill();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        disk.regainPower();
        storeProcess.start();
    }
}
