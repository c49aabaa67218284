package dev.semel.torture.nemesis;

import dev.semel.torture.system.Disk;
import dev.semel.torture.system.ManagedProcess;
import java.io.IOException;
import java.util.Random;

/** There is no room left on the disk of the store. Whoever keeps it is started again when there is. */
record FullDisk(Disk disk, ManagedProcess storeProcess) implements Fault {
    @Override
    public String target() {
        return storeProcess.name();
    }

    @Override
    public void inject(Random random) throws IOException, InterruptedException {
        disk.fill();
    }

    @Override
    public void heal() throws IOException, InterruptedException {
        disk.empty();
        storeProcess.kill();
        storeProcess.start();
    }
}
