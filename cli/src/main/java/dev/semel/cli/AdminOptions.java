package dev.semel.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to reach the admin API of a gateway. */
final class AdminOptions {
    @Option(
            names = "--admin",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            description = "the admin listener of the gateway (default: ${DEFAULT-VALUE})")
    private String admin = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "a file with the admin token (default: the variable SEMEL_ADMIN_TOKEN)")
    private @Nullable Path tokenFile;

    @Option(names = "--json", description = "print what the gateway says as it is")
    private boolean json;

    boolean json() {
        return json;
    }

    AdminClient client() {
        return new AdminClient(url(admin), token());
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (http && url.getHost() != null && url.getRawPath().isEmpty() && url.getRawQuery() == null) return url;
        } catch (IllegalArgumentException e) {
            // told below
        }
        throw new UsageProblem("'" + text + "' is not the address of a gateway, such as http://127.0.0.1:8081.");
    }

    private @Nullable String token() {
        if (tokenFile == null) return Settings.adminToken(System::getenv);
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw new UsageProblem("The file " + tokenFile + " cannot be read: " + e.getMessage());
        }
    }
}
