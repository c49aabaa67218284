package dev.semel.client;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL, and nothing left of it when it is closed. */
public record TestDatabase(Path folder, PostgresServer server) implements AutoCloseable {

    public static TestDatabase start() {
        Path folder = Path.of("target", "servers", UUID.randomUUID().toString());
        return new TestDatabase(folder, PostgresServer.startFromClassPath(folder, "fsync=off"));
    }

    public PGSimpleDataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(server.jdbcUrl());
        return dataSource;
    }

    @Override
    public void close() {
        server.close();
        try (Stream<Path> tree = Files.walk(folder)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) Files.delete(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
