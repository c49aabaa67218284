package dev.semel.cli;

import dev.semel.gateway.config.AdminSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to reach the admin API of a gateway. */
final class AdminOptions {
    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "the admin listener of the gateway, or its URL"
                    + " (default: the variable SEMEL_ADMIN, else 127.0.0.1:8081)")
    private @Nullable String admin;

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
        return new AdminClient(AdminAddress.url(address()), token());
    }

    private String address() {
        if (admin != null) return admin;
        String variable = Settings.variable("SEMEL_ADMIN", System::getenv);
        return variable != null ? variable : AdminSettings.DEFAULT.listen().toString();
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
