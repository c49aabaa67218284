package dev.semel.bench;

import java.io.IOException;

/** Starts the gateway that is to be measured, in a process of its own. */
@FunctionalInterface
public interface GatewayLauncher {
    /**
     * Starts a gateway on the loopback address, and returns when it listens or soon will.
     *
     * @param storeUrl where it keeps its keys, for example {@code rocksdb:./keys}
     * @param upstreamUrl where it forwards to, for example {@code http://127.0.0.1:9000}
     */
    ChildProcess launch(String storeUrl, int listenPort, String upstreamUrl) throws IOException, InterruptedException;
}
