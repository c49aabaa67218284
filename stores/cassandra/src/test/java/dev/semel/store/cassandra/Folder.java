package dev.semel.store.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for a server, on the disk of the build; gone when the test is over. */
record Folder(Path path) implements AutoCloseable {
    static Folder inTarget() {
        try {
            return new Folder(Files.createTempDirectory(Files.createDirectories(Path.of("target")), "cassandra-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
