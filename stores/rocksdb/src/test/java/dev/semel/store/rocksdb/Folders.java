package dev.semel.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

final class Folders {
    private Folders() {}

    static void delete(Path dir) throws IOException {
        for (Path path : inside(dir).reversed()) Files.deleteIfExists(path);
    }

    /** How much of the disk the files take. */
    static long size(Path dir) throws IOException {
        long size = 0;
        for (Path path : inside(dir)) {
            try {
                if (Files.isRegularFile(path)) size += Files.size(path);
            } catch (NoSuchFileException e) {
                // RocksDB removes files whenever it likes.
            }
        }
        return size;
    }

    private static List<Path> inside(Path dir) throws IOException {
        try (Stream<Path> paths = Files.walk(dir)) {
            return paths.sorted(Comparator.naturalOrder()).toList();
        } catch (UncheckedIOException e) {
            return inside(dir);
        }
    }
}
