package dev.semel.testkit.dynamodb;

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
 * The jars that DynamoDB Local runs on. Which they are was written down when this module was built; here they are found
 * again in the local Maven repository, without one of them being on the class path of the test.
 */
final class ServerClassPath {
    private static final String RESOURCE = "server.classpath";
    private static final String REPOSITORY = "{repository}";
    private static final String FIX =
            " It is fetched by building its module once: mvn install -DskipTests -pl testkit/servers/dynamodb -am";

    private ServerClassPath() {}

    /** As {@code java -cp} takes it: this module itself, and the jars of the server. */
    static String find() {
        Path repository = repository();
        List<String> path = new ArrayList<>(List.of(sourceOf(LocalMain.class).toString()));
        for (String each : written().strip().split("\\|", -1)) {
            Path jar = Path.of(each.replace(REPOSITORY, repository.toString()));
            if (!Files.exists(jar))
                throw new IllegalStateException("DynamoDB Local is not complete: there is no " + jar + "." + FIX);
            path.add(jar.toString());
        }
        return String.join(File.pathSeparator, path);
    }

    private static String written() {
        try (InputStream resource = ServerClassPath.class.getResourceAsStream(RESOURCE)) {
            if (resource == null)
                throw new IllegalStateException("The class path of DynamoDB Local was not written down." + FIX);
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one that jars on the class path of this process came from, else the usual one. */
    private static Path repository() {
        List<Path> places = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1))
            for (Path at = Path.of(each).toAbsolutePath().getParent(); at != null; at = at.getParent()) places.add(at);
        places.add(Path.of(System.getProperty("user.home"), ".m2", "repository"));
        return places.stream()
                .distinct()
                .filter(place -> Files.isDirectory(place.resolve("software/amazon/dynamodb/DynamoDBLocal")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("DynamoDB Local is in no local Maven repository." + FIX));
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
