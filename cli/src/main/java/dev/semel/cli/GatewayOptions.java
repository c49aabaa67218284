package dev.semel.cli;

import dev.semel.gateway.config.GatewayConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What can be said about a gateway on the command line. */
final class GatewayOptions {
    @Option(names = "--upstream", paramLabel = "URL", description = "the API to stand in front of")
    private @Nullable String upstream;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "where clients connect (default: 127.0.0.1:8080)")
    private @Nullable String listen;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "where operators connect (default: 127.0.0.1:8081)")
    private @Nullable String admin;

    @Option(names = "--store", paramLabel = "URL", description = "where keys are kept (default: rocksdb:./semel-data)")
    private @Nullable String store;

    @Option(
            names = "--store-before",
            paramLabel = "URL",
            description = "where keys were kept until now, while the fleet changes its store; see docs/migrating.md")
    private @Nullable String storeBefore;

    @Option(
            names = "--accept-lost-keys",
            description = "start even if the store may lose keys, so that operations may run twice after a crash")
    private boolean acceptLostKeys;

    /** With what the variables and the file say where there is no flag. */
    GatewayConfig over(@Nullable Path file) {
        GatewayConfig resolved = settings(file).resolve();
        return acceptLostKeys ? resolved.acceptingLostKeys() : resolved;
    }

    /** The store alone, for which nothing else need be given. */
    String storeOver(@Nullable Path file) {
        Settings settings = settings(file);
        if (settings.store() != null) return settings.store();
        return settings.config() == null
                ? GatewayConfig.DEFAULT_STORE
                : settings.resolve().store();
    }

    /** Whether webhooks are kept in the store too. */
    boolean hasWebhooks(@Nullable Path file) {
        Settings settings = settings(file);
        return settings.config() != null && !settings.resolve().webhooks().all().isEmpty();
    }

    private Settings settings(@Nullable Path file) {
        return new Settings(upstream, listen, admin, store, storeBefore, file, null).over(System::getenv);
    }
}
