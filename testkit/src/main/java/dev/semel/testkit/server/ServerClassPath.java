package dev.semel.testkit.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The jars that a server in Java runs on. Which they are was written down when its module was built, in a resource
 * {@code server.classpath} beside its main class; here they are found again in the local Maven repository, without one of them
 * being on the class path of the test.
 */
public final class ServerClassPath {
    private static final String RESOURCE = "server.classpath";

    /** What stands for the repository in the resource. */
    private static final String REPOSITORY = "{repository}/";

    private final Class<?> main;
    private final String server;
    private final String fix;

    private ServerClassPath(Class<?> main, String server, String module) {
        this.main = main;
        this.server = server;
        this.fix = " It is fetched by building its module once: mvn install -DskipTests -pl " + module + " -am";
    }

    /**
     * As {@code java -cp} takes it: what the main class comes from, and the jars of the server.
     *
     * @param server its name, for messages
     * @param module the folder of the Maven module that wrote the class path down
     * @throws IllegalStateException when a jar is missing; the message holds what to do
     */
    public static String of(Class<?> main, String server, String module) {
        return new ServerClassPath(main, server, module).find();
    }

    private String find() {
        List<Path> jars = new ArrayList<>();
        for (String each : written().strip().split("\\|", -1)) jars.add(Path.of(each.replace(REPOSITORY, "")));
        Path repository = repositoryWith(jars.getFirst());
        List<String> path = new ArrayList<>(List.of(sourceOf(main).toString()));
        for (Path each : jars) {
            Path jar = repository.resolve(each);
            if (!Files.exists(jar))
                throw new IllegalStateException(server + " is not complete: there is no " + jar + "." + fix);
            path.add(jar.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    private String written() {
        try (InputStream resource = main.getResourceAsStream(RESOURCE)) {
            if (resource == null)
                throw new IllegalStateException("The class path of " + server + " was not written down." + fix);
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one that jars on the class path of this process came from, else the usual one. */
    private Path repositoryWith(Path jar) {
        List<Path> places = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1))
            for (Path at = Path.of(each).toAbsolutePath().getParent(); at != null; at = at.getParent()) places.add(at);
        places.add(Path.of(System.getProperty("user.home"), ".m2", "repository"));
        return places.stream()
                .distinct()
                .filter(place -> Files.exists(place.resolve(jar)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(server + " is in no local Maven repository." + fix));
    }

    private static Path sourceOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
