package dev.semel.examples.spring;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The application as a process of its own, which is killed and started again at the same address. */
final class PaymentsProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final String database;
    private final int port;
    private Process process;
    private volatile CompletableFuture<Void> up;

    PaymentsProcess(String database) throws IOException {
        this.database = database;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        start();
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private synchronized void start() throws IOException {
        CompletableFuture<Void> started = new CompletableFuture<>();
        up = started;
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PaymentsApplication.class.getName(),
                        "--server.port=" + port,
                        "--spring.datasource.url=" + database))
                .redirectErrorStream(true)
                .start();
        Process mine = process;
        Thread.ofVirtual().start(() -> listen(mine, started));
    }

    private static void listen(Process process, CompletableFuture<Void> started) {
        StringBuilder said = new StringBuilder();
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = in.readLine()) != null; ) {
                if (line.contains("Started PaymentsApplication")) started.complete(null);
                if (!started.isDone()) said.append(line).append('\n');
                if (line.contains(" ERROR ")) System.out.println(line);
            }
        } catch (IOException gone) {
            // It was killed.
        }
        started.completeExceptionally(new IOException("It did not start:\n" + said));
    }

    /** Until it answers, or answers again. */
    void awaitUp() throws Exception {
        up.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** With SIGKILL. */
    synchronized void killAndStart() throws Exception {
        process.destroyForcibly().waitFor();
        start();
    }

    @Override
    public synchronized void close() {
        process.destroyForcibly();
    }
}
