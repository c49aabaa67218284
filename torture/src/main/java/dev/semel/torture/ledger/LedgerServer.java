package dev.semel.torture.ledger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.torture.RunClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ledger as a process of its own: {@code POST /…} acts, {@code GET /effects/KEY} tells what was done. Now and then it
 * takes its time with an answer, for longer than a gateway waits.
 */
public final class LedgerServer {
    /** The route on which repeats are answered like the first. */
    public static final String REPEATABLE = "/repeatable";

    public static final String PROBE = "/effects/";

    private static final int BACKLOG = 512;
    private static final int SLOWEST_MILLIS = 1_500;
    private static final Pattern PAYLOAD = Pattern.compile("\"payload\":(\\d+)");

    private final Ledger ledger;
    private final int slowPercent;

    private LedgerServer(Ledger ledger, int slowPercent) {
        this.ledger = ledger;
        this.slowPercent = slowPercent;
    }

    /** Arguments: a port, the file, when the run began on the clock of the machine, and how many answers in a hundred are slow. */
    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "1000");
        LedgerServer it = new LedgerServer(
                Ledger.open(Path.of(args[1]), new RunClock(Long.parseLong(args[2]))), Integer.parseInt(args[3]));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, BACKLOG);
        server.createContext("/", it::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.startsWith(PROBE)) tell(exchange, path.substring(PROBE.length()));
            else act(exchange, path);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(HttpExchange exchange, String key) throws IOException {
        Entry known = ledger.find(key);
        if (known == null) answer(exchange, 404, "{}".getBytes(StandardCharsets.UTF_8));
        else answer(exchange, 200, known.body());
    }

    private void act(HttpExchange exchange, String path) throws IOException, InterruptedException {
        String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Matcher payload = PAYLOAD.matcher(request);
        if (!payload.find()) throw new IOException("No payload in: " + request);
        Entry entry = ledger.act(
                header(exchange, "Idempotency-Key"),
                Integer.parseInt(payload.group(1)),
                Long.parseLong(header(exchange, "Semel-Fencing-Token")),
                Integer.parseInt(header(exchange, "Semel-Attempt")),
                path.equals(REPEATABLE));
        if (ThreadLocalRandom.current().nextInt(100) < slowPercent)
            Thread.sleep(ThreadLocalRandom.current().nextInt(SLOWEST_MILLIS));
        answer(exchange, entry.accepted() ? 201 : 412, entry.body());
    }

    private static String header(HttpExchange exchange, String name) throws IOException {
        String value = exchange.getRequestHeaders().getFirst(name);
        if (value == null) throw new IOException("No " + name + ".");
        return value;
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
