package dev.semel.torture.system;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A disk for the store alone: a file system in a file. It can be filled, and it can lose power: then everything is gone that
 * no sync has brought to the disk, and nothing else.
 */
public final class Disk {
    private static final long BYTES = 16L << 30;
    private static final long BLOCK = 4096;
    private static final int UNMOUNT_TRIES = 50;

    private final Path image;
    private final Path mount;

    private Disk(Path image, Path mount) {
        this.image = image;
        this.mount = mount;
    }

    static Disk make(RunCleanup cleanup, Path folder) throws IOException, InterruptedException {
        Path image = folder.resolve("disk.img");
        Path mount = Files.createDirectories(folder.resolve("disk"));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        Command.run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=1,nodiscard", image.toString());
        Disk disk = new Disk(image, mount);
        disk.mount();
        cleanup.unmountAtEnd(mount);
        return disk;
    }

    public Path path() {
        return mount;
    }

    private void mount() throws IOException, InterruptedException {
        Command.run("mount", "-o", "loop", image.toString(), mount.toString());
    }

    /** Not one block is left. */
    public void fill() throws IOException, InterruptedException {
        Files.createDirectories(ballast());
        int number = 0;
        long free = Files.getFileStore(mount).getUsableSpace();
        for (long size = free; size >= BLOCK; size /= 2) {
            String file = ballast().resolve(Integer.toString(number++)).toString();
            try {
                Command.run("fallocate", "-l", Long.toString(size), file);
            } catch (IOException tooMuch) {
                // Then half of it.
            }
        }
    }

    public void empty() throws IOException {
        if (!Files.exists(ballast())) return;
        try (Stream<Path> files = Files.list(ballast())) {
            for (Path file : files.toList()) Files.delete(file);
        }
    }

    private Path ballast() {
        return mount.resolve("ballast");
    }

    /** What was made so far is there to stay. */
    void sync() throws IOException, InterruptedException {
        Command.run("sync", "-f", mount.toString());
    }

    /** From now on nothing is written, and what was not synced is lost. Those who use it get errors. */
    public void losePower() throws IOException, InterruptedException {
        Command.run("xfs_io", "-x", "-c", "shutdown", mount.toString());
    }

    /** With what a restarted machine finds on it. Nobody may use it while it comes back. */
    public void regainPower() throws IOException, InterruptedException {
        for (int i = 1; ; i++) {
            try {
                Command.run("umount", mount.toString());
                break;
            } catch (IOException busy) {
                if (i == UNMOUNT_TRIES) throw busy;
                Thread.sleep(100);
            }
        }
        mount();
    }
}
