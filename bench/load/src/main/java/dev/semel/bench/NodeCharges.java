package dev.semel.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A Node process with one trivial operation, as a handler of Restate and as a plain HTTP server. */
record NodeCharges(ChildProcess process, int handlerPort, int plainPort) implements AutoCloseable {
    private static final String LISTENING = "listening ";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final int QUIET_LOOKS = 3;
    private static final long LOOK_MILLIS = 50;
    private static final String SCRIPT = "charges.cjs";

    static NodeCharges start(Path restateHome, Path folder) throws IOException, InterruptedException {
        Path script = Files.createDirectories(folder).resolve(SCRIPT);
        try (InputStream source = NodeCharges.class.getResourceAsStream(SCRIPT)) {
            if (source == null) throw new IllegalStateException("There is no " + SCRIPT);
            Files.write(script, source.readAllBytes());
        }
        ChildProcess process = ChildProcess.start(
                List.of(Tool.NODE.find().toString(), script.toString(), restateHome.toString()), folder, Map.of());
        try {
            String[] ports = process.awaitLine(LISTENING, START_TIMEOUT)
                    .substring(LISTENING.length())
                    .split(" ", -1);
            return new NodeCharges(process, Integer.parseInt(ports[0]), Integer.parseInt(ports[1]));
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    String plainUrl() {
        return "http://127.0.0.1:" + plainPort;
    }

    /** How often the operation ran. */
    long runs() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(plainUrl() + "/asked")).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return Long.parseLong(client.send(request, BodyHandlers.ofString()).body());
        }
    }

    /** The same, when all that earlier clients have started has ended. */
    long runsAtRest() throws IOException, InterruptedException {
        long last = runs();
        for (int quiet = 0; quiet < QUIET_LOOKS; ) {
            Thread.sleep(LOOK_MILLIS);
            long now = runs();
            quiet = now == last ? quiet + 1 : 0;
            last = now;
        }
        return last;
    }

    @Override
    public void close() {
        process.close();
    }
}
