package dev.semel.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder of its own in the build's target, gone when it is closed. */
record Folder(Path path) implements AutoCloseable {
    static Folder inTarget() {
        try {
            Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
            return new Folder(Files.createTempDirectory(target, "redis"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) Files.deleteIfExists(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
