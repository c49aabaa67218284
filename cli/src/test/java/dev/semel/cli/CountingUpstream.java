package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.cli.HttpMessage.Field;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * An API that has an effect every time it is asked, and counts them. No two of its answers are alike, so that an answer
 * tells which effect it is from. Its answers can be held back.
 */
final class CountingUpstream implements AutoCloseable {
    /** Where it can be asked about a key, which follows. */
    static final String PROBED = "/v1/orders-by-key/";

    private static final int BACKLOG = 1024;

    /** Makes the answer to a key from the number of the effect. One that throws has the connection break instead. */
    interface Answering {
        HttpMessage answer(String key, int effect);
    }

    private final ServerSocket listener;
    private final Answering answering;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Map<String, HttpMessage> receipts = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();
    private final AtomicInteger probes = new AtomicInteger();
    private volatile Gate gate = new Gate(key -> false, new CountDownLatch(0));

    private record Gate(Predicate<String> held, CountDownLatch opened) {}

    private CountingUpstream(Answering answering) throws IOException {
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        this.answering = answering;
        threads.execute(this::accept);
    }

    static CountingUpstream start() throws IOException {
        return start(CountingUpstream::receipt);
    }

    static CountingUpstream start(Answering answering) throws IOException {
        return new CountingUpstream(answering);
    }

    private static HttpMessage receipt(String key, int effect) {
        byte[] body = ("{\"order\":\"" + key + "\",\"effect\":" + effect + "}").getBytes(UTF_8);
        Field type = new Field("Content-Type", "application/json");
        return new HttpMessage("HTTP/1.1 201 Created", List.of(type, length(body)), body);
    }

    static Field length(byte[] body) {
        return new Field("Content-Length", Integer.toString(body.length));
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = listener.accept();
                threads.execute(() -> serve(connection));
            }
        } catch (IOException closed) {
            // The end.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            while (true) answer(HttpMessage.read(in)).write(connection.getOutputStream());
        } catch (IOException | UncheckedIOException | InterruptedException ended) {
            // The one who asked is gone, or the test is over.
        }
    }

    private HttpMessage answer(HttpMessage request) throws InterruptedException {
        if (request.startLine().startsWith("GET " + PROBED)) return found(request.startLine());
        String key = request.first("Idempotency-Key");
        if (key.isEmpty()) key = request.first("X-Unguarded");
        effects.computeIfAbsent(key, absent -> new AtomicInteger()).incrementAndGet();
        HttpMessage answer = answering.answer(key, all.incrementAndGet());
        receipts.put(key, answer);
        Gate now = gate;
        if (now.held().test(key)) now.opened().await();
        return answer;
    }

    /** Whether there was an effect under a key, and what its answer was. Asking has no effect. */
    private HttpMessage found(String start) {
        probes.incrementAndGet();
        String key = start.substring("GET ".length() + PROBED.length(), start.lastIndexOf(' '));
        HttpMessage receipt = receipts.get(key);
        if (receipt == null)
            return new HttpMessage("HTTP/1.1 404 Not Found", List.of(length(new byte[0])), new byte[0]);
        return new HttpMessage("HTTP/1.1 200 OK", receipt.fields(), receipt.body());
    }

    /** From now on the effects of these keys happen, and nobody is told until the latch is counted down. */
    CountDownLatch holdAnswers(Predicate<String> keys) {
        Gate closed = new Gate(keys, new CountDownLatch(1));
        gate = closed;
        return closed.opened();
    }

    /** What comes from now on is answered at once; what is held stays held. */
    void holdNothingMore() {
        gate = new Gate(key -> false, new CountDownLatch(0));
    }

    /** How often a request with this key has come through. */
    int effects(String key) {
        AtomicInteger count = effects.get(key);
        return count == null ? 0 : count.get();
    }

    /** How often it was asked whether a key has had an effect. */
    int probes() {
        return probes.get();
    }

    int effects() {
        return all.get();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
        threads.close();
    }
}
