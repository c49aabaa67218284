package dev.semel.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;

/**
 * The classes of the command line, read and checked once for all the processes of these tests: they map an archive of the
 * JVM instead. Starting a gateway takes half the time so. A JVM that cannot use the archive goes without.
 */
final class SharedClasses {
    private static final Path FOLDER = Path.of("target", "shared-classes").toAbsolutePath();
    private static final Path OF_GATEWAYS = FOLDER.resolve("gateway.jsa");
    private static final Path OF_OTHERS = FOLDER.resolve("other.jsa");
    private static final ToolProvider JAR = ToolProvider.findFirst("jar").orElseThrow();

    /** What a JVM says about the archive would be in the way of what the command line says. */
    private static final String SILENT = "-Xlog:disable";

    /** The class path of the tests, all of it in jars: no archive is made of folders. */
    static final String CLASS_PATH = packed(System.getProperty("java.class.path"));

    /** Commands that are a gateway, or start some, which then use the archive of the command. */
    private static final Set<String> WITH_GATEWAYS = Set.of("serve", "torture", "demo");

    private static boolean made;

    private SharedClasses() {}

    /** For a JVM that is given these arguments. */
    static synchronized List<String> options(String... arguments) {
        if (!made) make();
        made = true;
        boolean gateway = arguments.length > 0 && WITH_GATEWAYS.contains(arguments[0]);
        return List.of("-XX:SharedArchiveFile=" + (gateway ? OF_GATEWAYS : OF_OTHERS), SILENT);
    }

    private static String packed(String classPath) {
        try {
            Files.createDirectories(FOLDER);
            List<String> entries = new ArrayList<>();
            for (String entry : classPath.split(":")) {
                if (entry.isEmpty()) continue;
                boolean folder = Files.isDirectory(Path.of(entry));
                entries.add(folder ? pack(entry, entries.size()) : entry);
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

    /** A JVM that ends writes down what it has loaded; a gateway, when it is told to end. */
    private static void make() {
        try (CountingUpstream upstream = CountingUpstream.start();
                OpenStore store = OpenStore.Kind.ROCKSDB.open();
                SemelProcess gateway = SemelProcess.startWith(
                        making(OF_GATEWAYS),
                        "serve",
                        "--upstream",
                        upstream.url().toString(),
                        "--store",
                        store.url(),
                        "--listen",
                        "127.0.0.1:0",
                        "--admin",
                        "127.0.0.1:0");
                SemelProcess other =
                        SemelProcess.startWith(making(OF_OTHERS), "keys", "list", "--admin", "http://127.0.0.1:1")) {
            gateway.awaitError("semel: admin on ");
            gateway.terminate();
            gateway.exitCode();
            other.exitCode();
        } catch (Exception e) {
            throw new IllegalStateException("No archive was made", e);
        }
    }

    private static List<String> making(Path archive) {
        return List.of("-XX:ArchiveClassesAtExit=" + archive, SILENT);
    }
}
