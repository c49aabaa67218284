package dev.semel.bench.storage;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;

/** How many bytes files have. */
final class DiskUse {
    private DiskUse() {}

    static long of(Path folder, Predicate<Path> counted) throws IOException {
        long[] bytes = {0};
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (counted.test(file)) bytes[0] += attributes.size();
                return FileVisitResult.CONTINUE;
            }

            /** Servers remove files at any moment. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
                throw failure;
            }
        });
        return bytes[0];
    }
}
