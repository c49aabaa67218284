package dev.semel.bench.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** The disk space that a store uses, and when its writing has come to rest. */
final class Disk {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int QUIET_LOOKS = 3;
    private static final long QUIET_BYTES = 4 << 20;
    private static final Path IO = Path.of("/proc/self/io");

    private Disk() {}

    static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(Disk::size).sum();
        }
    }

    /** Files come and go while a store is open. */
    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until this process has written next to nothing for some seconds: until compaction has caught up. */
    static void awaitRest(Duration atMost) throws IOException, InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        long written = written();
        for (int quiet = 0; quiet < QUIET_LOOKS && System.nanoTime() - end < 0; ) {
            Thread.sleep(PAUSE);
            long now = written();
            quiet = now - written < QUIET_BYTES ? quiet + 1 : 0;
            written = now;
        }
    }

    private static long written() throws IOException {
        if (!Files.isReadable(IO)) return 0;
        return Files.readAllLines(IO).stream()
                .filter(line -> line.startsWith("write_bytes: "))
                .mapToLong(line -> Long.parseLong(line.substring("write_bytes: ".length())))
                .findFirst()
                .orElse(0);
    }

    /**
     * Refuses to begin what would fill the disk.
     *
     * @throws IllegalStateException that says how much is needed and how much is there
     */
    static void requireRoom(Path folder, long bytes) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        if (free < bytes)
            throw new IllegalStateException("This needs about " + gigabytes(bytes) + " GB on the disk of " + folder
                    + ", and " + gigabytes(free) + " GB are free. Take fewer --keys, or another --folder.");
    }

    private static long gigabytes(long bytes) {
        return Math.ceilDiv(bytes, 1_000_000_000L);
    }
}
