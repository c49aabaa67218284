package dev.semel.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The source folder that this program was built in. Some benchmarks and torture runs start programs that are no part of the product. */
final class SourceTree {
    private SourceTree() {}

    /** The class path of a module that nobody depends on, as its build has written it down. */
    static String classPath(String module) throws IOException {
        Path target = folder(module).resolve("target");
        Path file = target.resolve("class-path");
        if (!Files.exists(file))
            throw new UsageProblem("The module " + module + " is not built. To build it: mvn -q -DskipTests -pl "
                    + module + " -am package");
        return target.resolve("classes") + ":" + Files.readString(file).strip();
    }

    static Path folder(String module) {
        return root().resolve(module);
    }

    private static Path root() {
        URI here = URI.create(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toString());
        for (Path folder = Path.of(here); folder != null; folder = folder.getParent())
            if (Files.exists(folder.resolve("bench/loop/pom.xml"))) return folder;
        throw new UsageProblem("This needs the source folder of Semel, and " + here + " is not in one.");
    }
}
