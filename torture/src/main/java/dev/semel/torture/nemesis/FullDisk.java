package dev.semel.torture.nemesis;

import dev.semel.torture.cast.Disk;
import dev.semel.torture.cast.Mortal;
import java.io.IOException;
import java.util.Random;

/** There is no room left on the disk of the store. Whoever keeps it is started again when there is. */
record FullDisk(Disk disk, Mortal keeper) implements Fault {
    @Override
    public String target() {
        return keeper.name();
    }

    @Override
    public void strike(Random luck) throws IOException, InterruptedException {
        disk.fill();
    }

    @Override
    public void mend() throws IOException, InterruptedException {
        disk.empty();
        keeper.kill();
        keeper.start();
    }
}
