package dev.semel.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system in a file that can be frozen: whoever writes to it then hangs until it is thawed. Thawed and unmounted when it
 * is closed, and also when the tests end early. Nobody but the store may touch it while it is frozen.
 */
final class FrozenDisk implements AutoCloseable {
    private static final long BYTES = 512L << 20;

    private final Path mount;
    private final Thread hook = new Thread(this::unmount, "thaw-disk");

    private FrozenDisk(Path mount) {
        this.mount = mount;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static FrozenDisk mountIn(Path folder) throws Exception {
        Path image = folder.resolve("disk.img");
        Path mount = Files.createDirectories(folder.resolve("disk"));
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=1,nodiscard", image.toString());
        run("mount", "-o", "loop", image.toString(), mount.toString());
        return new FrozenDisk(mount);
    }

    Path path() {
        return mount;
    }

    void freeze() throws Exception {
        run("fsfreeze", "--freeze", mount.toString());
    }

    void thaw() throws Exception {
        run("fsfreeze", "--unfreeze", mount.toString());
    }

    @Override
    public void close() {
        unmount();
        Runtime.getRuntime().removeShutdownHook(hook);
    }

    /** Also when it is not frozen, which only makes the first of the two fail. */
    private void unmount() {
        try {
            exitCode("fsfreeze", "--unfreeze", mount.toString());
            exitCode("umount", "--lazy", mount.toString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("The disk could not be unmounted: " + mount, e);
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int code = exitCode(command);
        if (code != 0) throw new IOException(String.join(" ", command) + " ended with " + code);
    }

    private static int exitCode(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
