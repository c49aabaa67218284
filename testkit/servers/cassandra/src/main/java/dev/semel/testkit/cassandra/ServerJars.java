package dev.semel.testkit.cassandra;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The jars of the server. They are on nobody's class path: the build resolves them and writes down where they are in the local
 * Maven repository.
 */
final class ServerJars {
    private static final String LIST = "server.classpath";

    /** What stands for the repository in the list. */
    private static final String REPOSITORY = "REPOSITORY/";

    private static final String FETCH = "mvn -q install -DskipTests -pl testkit/servers/cassandra -am";

    private ServerJars() {}

    /** The class path of the server; what this module itself brings comes first. */
    static String classPath() {
        List<String> jars = Arrays.stream(list().strip().split(";", -1))
                .map(jar -> jar.replace(REPOSITORY, ""))
                .toList();
        Path repository = repositoryWith(jars.getFirst());
        List<String> path = new ArrayList<>();
        path.add(ownLocation().toString());
        for (String jar : jars) {
            Path file = repository.resolve(jar);
            if (!Files.exists(file)) throw lacks(file.toString());
            path.add(file.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    private static String list() {
        try (InputStream list = ServerJars.class.getResourceAsStream(LIST)) {
            if (list == null)
                throw new IllegalStateException("The list of the test server's jars is missing. To make it: " + FETCH);
            return new String(list.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The repository that the jars of this process come from, whatever Maven was told; else the usual one. */
    private static Path repositoryWith(String jar) {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1))
            for (Path folder = Path.of(entry).toAbsolutePath(); folder != null; folder = folder.getParent())
                if (Files.exists(folder.resolve(jar))) return folder;
        Path usual = Path.of(System.getProperty("user.home"), ".m2", "repository");
        if (Files.exists(usual.resolve(jar))) return usual;
        throw lacks(jar);
    }

    private static IllegalStateException lacks(String jar) {
        return new IllegalStateException("The test server lacks " + jar + ". To fetch it: " + FETCH);
    }

    private static Path ownLocation() {
        try {
            return Path.of(ServerJars.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
