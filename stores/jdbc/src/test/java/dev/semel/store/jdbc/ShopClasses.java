package dev.semel.store.jdbc;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * The classes of a {@link ShopProcess}, read and checked once for all that are started: they map an archive of the JVM
 * instead, which halves the time that a start takes. The process that makes it is one that ends in the orderly way.
 */
final class ShopClasses {
    private static final Path FOLDER = Path.of("target", "shop-classes").toAbsolutePath();
    private static final Path ARCHIVE = FOLDER.resolve("shop.jsa");
    private static final ToolProvider JAR = ToolProvider.findFirst("jar").orElseThrow();

    /** The class path of the tests, all of it in jars: no archive is made of folders. */
    static final String CLASS_PATH = packed(System.getProperty("java.class.path"));

    private static boolean made;

    private ShopClasses() {}

    static List<String> options() {
        return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:disable");
    }

    static List<String> makingOptions() {
        return List.of("-XX:ArchiveClassesAtExit=" + ARCHIVE, "-Xlog:disable");
    }

    /** Whether nobody has made the archive yet; asked by one who will. */
    static synchronized boolean areMissing() {
        boolean missing = !made;
        made = true;
        return missing;
    }

    private static String packed(String classPath) {
        try {
            Files.createDirectories(FOLDER);
            List<String> entries = new ArrayList<>();
            for (String entry : classPath.split(":", -1)) {
                if (entry.isEmpty()) continue;
                entries.add(Files.isDirectory(Path.of(entry)) ? pack(entry, entries.size()) : entry);
            }
            return String.join(":", entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pack(String folder, int number) {
        String jar = FOLDER.resolve(number + ".jar").toString();
        PrintWriter out = new PrintWriter(System.out, true);
        if (JAR.run(out, out, "--create", "--no-compress", "--file", jar, "-C", folder, ".") != 0)
            throw new IllegalStateException("No jar of " + folder);
        return jar;
    }
}
