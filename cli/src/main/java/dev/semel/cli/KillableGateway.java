package dev.semel.cli;

import dev.semel.examples.demo.DemoGateway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code semel serve} as a process of its own, for the demo: it is killed with SIGKILL, and started again on its store. It
 * never outlives this process.
 */
final class KillableGateway implements DemoGateway, AutoCloseable {
    private static final List<String> JVM = GatewayJvm.with("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");
    /** Ctrl-C in a terminal goes to all its processes, and this one is still needed then. */
    private static final List<String> DEAF_TO_CTRL_C = List.of("sh", "-c", "trap '' INT; exec \"$@\"", "semel");

    private final URI url;
    private final URI adminUrl;
    private final Path config;
    private final Path log;
    private final DoubtMonitor doubts;
    private volatile Process process;
    private volatile boolean closed;

    private KillableGateway(Path folder, int port, int adminPort, URI upstream) throws IOException {
        this.url = URI.create("http://127.0.0.1:" + port);
        this.adminUrl = URI.create("http://127.0.0.1:" + adminPort);
        this.log = folder.resolve("gateway.log");
        this.config = Files.writeString(folder.resolve("semel.yml"), yaml(folder, port, adminPort, upstream));
        this.doubts = DoubtMonitor.of(adminUrl);
        this.process = launch();
    }

    /** Returns when it takes requests. */
    static KillableGateway start(Path folder, int port, int adminPort, URI upstream)
            throws IOException, InterruptedException {
        KillableGateway gateway = new KillableGateway(folder, port, adminPort, upstream);
        while (!gateway.isUp()) {
            if (!gateway.process.waitFor(50, TimeUnit.MILLISECONDS)) continue;
            String said = Files.readString(gateway.log);
            gateway.close();
            throw new IOException("the gateway does not start:\n" + said);
        }
        return gateway;
    }

    private static String yaml(Path folder, int port, int adminPort, URI upstream) {
        return """
            listen: 127.0.0.1:%d
            admin: { listen: 127.0.0.1:%d }
            store: "rocksdb:%s"
            upstream: { url: "%s" }
            routes:
              - match: POST /v1/charges
                key: required
                lease: 3s
                probe:
                  get: "/v1/charges?idempotency_key={key}"
                  found: 200
                  absent: 404
                  outcome: /charges/0
                  status: 201
                  after: 1s
            """.formatted(port, adminPort, folder.resolve("keys"), upstream);
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(DEAF_TO_CTRL_C);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String given : ManagementFactory.getRuntimeMXBean().getInputArguments())
            if (given.startsWith("-XX:SharedArchiveFile=")) command.add(given);
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ServeForParent.class.getName()));
        command.addAll(List.of("serve", "--config", config.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
        return builder.start();
    }

    @Override
    public URI url() {
        return url;
    }

    @Override
    public URI adminUrl() {
        return adminUrl;
    }

    @Override
    public boolean isUp() {
        return process.isAlive() && doubts.gatewayAnswers();
    }

    @Override
    public synchronized void kill() {
        if (closed) return;
        doubts.beforeGatewayIsKilled();
        end(process);
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("The gateway cannot be started again.", e);
        }
    }

    @Override
    public Doubts doubts() {
        return doubts.count();
    }

    private static void end(Process process) {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public synchronized void close() {
        closed = true;
        doubts.close();
        end(process);
    }
}
