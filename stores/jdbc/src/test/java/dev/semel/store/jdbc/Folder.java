package dev.semel.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The folder of one server, deleted when it is closed. Not in {@code /tmp}: where a build runs as root, the server may be
 * another user, who could not enter there.
 */
record Folder(Path path) implements AutoCloseable {

    static Folder inTarget() {
        return new Folder(Path.of("target", "servers", UUID.randomUUID().toString()));
    }

    @Override
    public void close() {
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) Files.delete(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
