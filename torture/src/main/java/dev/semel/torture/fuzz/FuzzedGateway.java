package dev.semel.torture.fuzz;

import dev.semel.bench.ChildJvm;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The gateway as a process, and the questions that can be asked of it. */
final class FuzzedGateway implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

    private static final Pattern PORT = Pattern.compile(" on [^ ]*?:(\\d+)[,;]");

    private final ChildJvm process;
    private final InetSocketAddress address;
    private final InetSocketAddress admin;

    private FuzzedGateway(ChildJvm process, int port, int adminPort) {
        this.process = process;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.admin = new InetSocketAddress(InetAddress.getLoopbackAddress(), adminPort);
    }

    static FuzzedGateway start(GatewayLauncher launcher, Path config) throws IOException, InterruptedException {
        ChildJvm process = launcher.launch(config);
        try {
            int admin = port(process.awaitLine("semel: admin on ", START_TIMEOUT));
            return new FuzzedGateway(process, port(process.awaitLine("semel: listening on ", START_TIMEOUT)), admin);
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    private static int port(String line) {
        Matcher port = PORT.matcher(line);
        if (!port.find()) throw new IllegalStateException("No port in: " + line);
        return Integer.parseInt(port.group(1));
    }

    InetSocketAddress address() {
        return address;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** How many files and sockets it has open; -1 where the system does not tell. */
    long descriptors() throws IOException {
        Path folder = Path.of("/proc", Long.toString(process.pid()), "fd");
        if (!Files.isDirectory(folder)) return -1;
        try (Stream<Path> open = Files.list(folder)) {
            return open.count();
        }
    }

    /** What is wrong with it, as seen by an operator and by a client that behaves; empty when nothing is. */
    String complaint(String key) throws IOException {
        if (!isAlive()) return "the gateway process has ended";
        int health = status(admin, RawRequest.get("/healthz"));
        if (health != 200) return "/healthz answers " + health;
        RawRequest charge = RawRequest.charge("/fuzz/charges").key(key);
        int first = status(address, charge);
        int again = status(address, charge);
        return first == 201 && again == 201 ? "" : "a good request is answered " + first + ", then " + again;
    }

    private static int status(InetSocketAddress where, RawRequest request) throws IOException {
        return RawHttp.exchange(where, request, ANSWER_TIMEOUT) instanceof Received.Response response
                ? response.status()
                : -1;
    }

    @Override
    public void close() {
        process.close();
    }
}
