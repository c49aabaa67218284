package dev.semel.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A program that a benchmark needs and that does not come with Semel.
 *
 * @param name of the program
 * @param remedy what to type to get it
 */
public record Tool(String name, String remedy) {
    public static final Tool NGINX =
            new Tool("nginx", "scripts/tools.sh nginx (on Debian: apt-get install nginx-light)");
    public static final Tool PGBENCH =
            new Tool("pgbench", "scripts/tools.sh pgbench (on Debian: apt-get install postgresql-contrib)");
    public static final Tool NODE = new Tool("node", "scripts/tools.sh node (on Debian: apt-get install nodejs)");

    /** Where servers are installed, and an ordinary user does not have it on the PATH. */
    private static final String SYSTEM_PROGRAMS = "/usr/sbin";

    /** A program is not there. The message says how to get it. */
    public static final class MissingException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        MissingException(Tool tool) {
            super("There is no " + tool.name() + " on the PATH. To install it: " + tool.remedy());
        }
    }

    public Path find() {
        return lookUp().orElseThrow(() -> new MissingException(this));
    }

    public Optional<Path> lookUp() {
        return lookUp(System.getenv().getOrDefault("PATH", ""));
    }

    Optional<Path> lookUp(String path) {
        Stream<String> folders = Stream.concat(Arrays.stream(path.split(":", -1)), Stream.of(SYSTEM_PROGRAMS));
        return folders.filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
