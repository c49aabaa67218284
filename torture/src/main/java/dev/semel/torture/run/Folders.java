package dev.semel.torture.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Where the processes of a run live, and what of it is kept. */
final class Folders {
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
    }
}
