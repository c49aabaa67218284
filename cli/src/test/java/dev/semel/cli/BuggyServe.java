package dev.semel.cli;

import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.config.GatewayConfig;
import java.nio.file.Path;

/** {@code semel serve} with a bug. Arguments: the name of the bug, then the configuration. */
public final class BuggyServe {
    private BuggyServe() {}

    public static void main(String[] args) throws InterruptedException {
        GatewayConfig config = new Settings(null, null, null, null, null, Path.of(args[1]), null).resolve();
        ServeCommand.run(config, PlantedBug.valueOf(args[0]).in(StoreUrls.open(config.store())));
    }
}
