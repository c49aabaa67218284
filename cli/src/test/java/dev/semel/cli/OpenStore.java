package dev.semel.cli;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** A place for keys, with a folder beside it for whatever else a test needs. All of it is gone when it is closed. */
final class OpenStore implements AutoCloseable {
    private final TemporaryFolder folder;
    private final Runnable serverEnd;
    private final Path place;
    private final String url;

    private OpenStore(TemporaryFolder folder, Runnable serverEnd, Path place, String url) {
        this.folder = folder;
        this.serverEnd = serverEnd;
        this.place = place;
        this.url = url;
    }

    enum Kind {
        ROCKSDB,
        POSTGRES;

        OpenStore open() throws IOException {
            TemporaryFolder folder = folder();
            return switch (this) {
                case ROCKSDB -> {
                    Path keys = folder.path().resolve("keys");
                    yield new OpenStore(folder, () -> {}, keys, "rocksdb:" + keys);
                }
                case POSTGRES -> {
                    PostgresServer server = postgres(folder);
                    yield new OpenStore(folder, server::close, folder.path().resolve("postgres"), server.jdbcUrl());
                }
            };
        }
    }

    /** Not in {@code /tmp}: where a build runs as root, the database may be another user, who could not enter there. */
    static TemporaryFolder folder() throws IOException {
        Path path = Path.of("target", "blackbox", UUID.randomUUID().toString());
        return new TemporaryFolder(Files.createDirectories(path).toAbsolutePath());
    }

    static PostgresServer postgres(TemporaryFolder folder) {
        return PostgresServer.startFromClassPath(folder.path().resolve("postgres"));
    }

    String url() {
        return url;
    }

    /** Where it is on the disk, with all that its server writes beside it. */
    Path path() {
        return place;
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(folder.path().resolve(name), text);
    }

    @Override
    public void close() throws IOException {
        try (folder) {
            serverEnd.run();
        }
    }
}
