package dev.semel.store.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Finds out whether the disk under a store takes writes again, and whether there is room to open the store. */
final class DiskCheck {
    /** Whoever opens a store writes what is in its log to tables, before the log goes. */
    private static final long SPARE_BYTES = 8L << 20;

    private static final int WRITTEN_BYTES = 64 * 1024;

    private DiskCheck() {}

    /** @throws IOException when a write would fail */
    static void run(Path dir) throws IOException {
        long needed = logBytes(dir) + SPARE_BYTES;
        long free = Files.getFileStore(dir).getUsableSpace();
        if (free < needed)
            throw new IOException("its disk has " + (free >> 20) + " MiB free, and " + (needed >> 20)
                    + " MiB are needed to open it again");
        Path file = dir.resolve("semel-disk-check");
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(WRITTEN_BYTES);
            while (bytes.hasRemaining()) out.write(bytes);
            out.force(true);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static long logBytes(Path dir) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(dir)) {
            for (Path log : files.filter(it -> it.toString().endsWith(".log")).toList()) bytes += Files.size(log);
        }
        return bytes;
    }
}
