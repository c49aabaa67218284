package dev.semel.testkit.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL refuses to run as root, and build machines often are. A new user namespace is enough to stop being root,
 * and keeps the right to one's own files; where a container forbids namespaces, the server runs as the user "nobody",
 * who must be able to enter the folders above the binaries and the data.
 */
final class Unprivileged {
    private static final int NOBODY = 65534;

    private Unprivileged() {}

    /** The start of a command line that runs a program on this data folder. */
    static List<String> command(Path data, Path program) throws IOException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            if (succeeds("unshare", "-U", "true")) {
                command.addAll(List.of("unshare", "-U"));
            } else {
                Files.setAttribute(data, "unix:uid", NOBODY);
                command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
            }
        }
        command.add(program.toString());
        return command;
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
