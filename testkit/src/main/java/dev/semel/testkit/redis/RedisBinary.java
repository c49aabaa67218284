package dev.semel.testkit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The program of Redis 7.0.15, taken out of its jar once into the build's target folder. It is its own sentinel. */
final class RedisBinary {
    private static final Path CACHE = Path.of("target", "redis");

    private RedisBinary() {}

    static Path fromClassPath() throws IOException {
        String name = "redis-server-7.0.15-" + system() + "-" + architecture();
        Path program = CACHE.resolve(name).toAbsolutePath();
        if (!Files.isExecutable(program)) unpack(name, program);
        return program;
    }

    /** Unpacks beside its place and moves it there in one step: half a program is never started. */
    private static void unpack(String name, Path program) throws IOException {
        Files.createDirectories(program.getParent());
        try (InputStream in = RedisBinary.class.getResourceAsStream("/" + name)) {
            if (in == null)
                throw new IllegalStateException("No " + name + " on the class path. Add the test dependency"
                        + " org.signal:embedded-redis, without what it depends on. To download it:"
                        + " mvn dependency:get -Dartifact=org.signal:embedded-redis:0.9.1 -Dtransitive=false");
            Path fresh = Files.createTempFile(program.getParent(), "unpacking", "");
            Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
            if (!fresh.toFile().setExecutable(true, false)) throw new IOException(fresh + " cannot be made executable");
            Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.contains("mac") ? "darwin" : "linux";
    }

    private static String architecture() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") || name.equals("arm64") ? "arm64" : "amd64";
    }
}
