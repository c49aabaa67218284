package dev.semel.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The {@link UpstreamServer}, in a process of its own. */
record UpstreamProcess(ChildProcess process, int port) implements AutoCloseable {
    private static final String LISTENING = "listening ";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    static UpstreamProcess start() throws IOException, InterruptedException {
        ChildJvm process = ChildJvm.start(
                List.of("--enable-native-access=ALL-UNNAMED"), UpstreamServer.class.getName(), List.of("--port", "0"));
        try {
            String line = process.awaitLine(LISTENING, START_TIMEOUT);
            return new UpstreamProcess(process, Integer.parseInt(line.substring(LISTENING.length())));
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
