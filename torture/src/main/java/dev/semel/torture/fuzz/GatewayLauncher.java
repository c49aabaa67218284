package dev.semel.torture.fuzz;

import dev.semel.bench.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;

/** Starts the gateway that is to be tortured, in a process of its own. */
@FunctionalInterface
public interface GatewayLauncher {
    /** Starts {@code semel serve} with this configuration, and returns without waiting for it. */
    ChildJvm launch(Path config) throws IOException;
}
