package dev.semel.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Does once what short commands do, so that the JVM can archive the classes they need. The start script runs it; it
 * connects to nobody, and leaves nothing behind.
 */
final class ClassTraining {
    private static final String SAMPLE = """
        listen: 127.0.0.1:8080
        admin: { listen: 127.0.0.1:8081 }
        upstream: { url: http://127.0.0.1:9000, timeout: 30s }
        routes:
          - match: POST /v1/charges
            key: required
            statuses: { store: [2xx] }
            probe: { get: "/v1/charges?key={key}" }
          - match: PUT /v1/accounts/{id}
            order: { version: "header:If-Match" }
          - match: "* /**"
        """;

    private ClassTraining() {}

    public static void main(String[] args) throws IOException {
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        System.setErr(System.out);
        Path file = Files.createTempFile("semel", ".yml");
        try {
            Files.writeString(file, SAMPLE);
            Main.run("--help");
            Main.run("check", file.toString());
            Main.run("plan", "--tps", "100", "--retention", "24h", "--body", "1KB");
            // Nothing listens on this port, which needs a privilege and has no use.
            Main.run("keys", "list", "--admin", "127.0.0.1:1");
            Main.run("no-such-command");
        } finally {
            Files.delete(file);
        }
    }
}
