package dev.semel.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Restate server of one node, with a handler registered, and its ingress as the address under measurement. */
final class RestateServer {
    /** What to type to get it. */
    static final String REMEDY = "scripts/restate.sh";

    private static final String PATH = "/charges/create";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final long KNOCK_MILLIS = 100;

    private RestateServer() {}

    /**
     * Starts a server.
     *
     * @param home the folder that {@code scripts/restate.sh} prints
     * @param partitions 0 for as many as it takes by itself
     */
    static MeasuredServer start(String label, Path home, Path folder, NodeCharges handler, int partitions)
            throws IOException, InterruptedException {
        int ingress = FreePort.pick();
        int admin = FreePort.pick();
        Map<String, String> environment = new HashMap<>(Map.of(
                "RESTATE_INGRESS__BIND_PORT", Integer.toString(ingress),
                "RESTATE_ADMIN__BIND_PORT", Integer.toString(admin),
                "RESTATE_BIND_PORT", Integer.toString(FreePort.pick()),
                "RESTATE_DISABLE_TELEMETRY", "true",
                "RUST_LOG", "warn"));
        if (partitions > 0) environment.put("RESTATE_DEFAULT_NUM_PARTITIONS", Integer.toString(partitions));
        List<String> command = List.of(
                binary(home).toString(),
                "--no-logo",
                "--listen-mode",
                "tcp",
                "--bind-ip",
                "127.0.0.1",
                "--advertised-host",
                "127.0.0.1",
                "--base-dir",
                folder.resolve("data").toString());
        ChildProcess process = ChildProcess.start(command, Files.createDirectories(folder), environment);
        MeasuredServer server = MeasuredServer.await(label, process, ingress)
                .takes(Workload.FRESH_KEYS, ChargeRequests.unmarked(PATH, Long.MAX_VALUE))
                .takes(Workload.REPLAYS, ChargeRequests.unmarked(PATH, MeasuredServer.REPLAYED_KEYS))
                .behind(handler.process().pid());
        try {
            register(process, admin, handler.handlerPort());
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** The program itself and not its Node wrapper, so that a signal reaches it. */
    static Path binary(Path home) {
        try (Stream<Path> packages = Files.list(home.resolve("node_modules/@restatedev"))) {
            return packages.map(folder -> folder.resolve("bin/restate-server"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(RestateServer::missing);
        } catch (IOException e) {
            throw missing();
        }
    }

    private static IllegalStateException missing() {
        return new Tool.MissingException(new Tool("restate-server", REMEDY));
    }

    /** It takes registrations some time after it listens. */
    private static void register(ChildProcess process, int admin, int handlerPort)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin + "/deployments"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"uri\":\"http://127.0.0.1:" + handlerPort + "\"}"))
                .build();
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        String answer = "";
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (process.isAlive() && System.nanoTime() - deadline < 0) {
                try {
                    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
                    if (response.statusCode() / 100 == 2) return;
                    answer = response.body();
                } catch (IOException notYet) {
                    answer = notYet.toString();
                }
                Thread.sleep(KNOCK_MILLIS);
            }
        }
        throw new IOException("Restate does not take the handler: " + answer + "\n" + process.printed());
    }
}
