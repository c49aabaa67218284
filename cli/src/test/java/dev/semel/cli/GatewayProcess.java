package dev.semel.cli;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code semel serve} as a process, which can be killed and started again on the same ports and store. */
final class GatewayProcess implements AutoCloseable {
    private final int port = FreePort.pick();
    private final int adminPort = FreePort.pick();
    private final String[] arguments;
    private SemelProcess process;

    private GatewayProcess(String store, URI upstream, List<String> more) throws Exception {
        List<String> all = new ArrayList<>(List.of("serve", "--upstream", upstream.toString(), "--store", store));
        all.addAll(List.of("--listen", "127.0.0.1:" + port, "--admin", "127.0.0.1:" + adminPort));
        all.addAll(more);
        this.arguments = all.toArray(String[]::new);
        this.process = SemelProcess.start(arguments);
    }

    /** Returns when it takes requests. */
    static GatewayProcess start(String store, URI upstream, Path config) throws Exception {
        return begun(new GatewayProcess(store, upstream, List.of("--config", config.toString())));
    }

    static GatewayProcess start(String store, URI upstream, String... more) throws Exception {
        return begun(new GatewayProcess(store, upstream, List.of(more)));
    }

    private static GatewayProcess begun(GatewayProcess gateway) throws Exception {
        try {
            gateway.process.awaitError("semel: admin on ");
            return gateway;
        } catch (Throwable e) {
            gateway.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    int adminPort() {
        return adminPort;
    }

    SemelProcess process() {
        return process;
    }

    void kill9() {
        process.close();
    }

    /** Starts it again, once it is dead. */
    void restart() throws Exception {
        process.close();
        process = SemelProcess.start(arguments);
        process.awaitError("semel: admin on ");
    }

    /** What an operator is told: ready, or why not. */
    Answer readiness() throws IOException {
        return Client.get(adminPort, "/readyz");
    }

    @Override
    public void close() {
        process.close();
    }
}
