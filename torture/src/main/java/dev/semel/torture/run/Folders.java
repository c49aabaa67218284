package dev.semel.torture.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/** Where the processes of a run live, and what of it is kept. */
final class Folders {
    private static final String STORE = "store";

    private Folders() {}

    /** Others may enter: the database may have to run as another user. */
    static Path make() throws IOException {
        Path folder = Files.createTempDirectory("semel-torture");
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What the processes have printed, and how they were set up, for whoever has to find out. */
    static void keepLogs(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "*.{log,yaml,properties}")) {
            for (Path file : files)
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        Path servers = from.resolve(STORE);
        if (!Files.isDirectory(servers)) return;
        try (Stream<Path> files = Files.walk(servers, 2)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".log")).toList())
                Files.copy(file, to.resolve("server-" + file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
