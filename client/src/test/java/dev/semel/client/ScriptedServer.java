package dev.semel.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server on 127.0.0.1 that does with each request what its script says; after that, it charges once per key, and
 * replays. One request per connection. Safe for use by any thread.
 */
final class ScriptedServer implements AutoCloseable {
    private final ServerSocket listener;
    private final Queue<Turn> script = new ConcurrentLinkedQueue<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> charges = new ConcurrentHashMap<>();
    private final AtomicInteger effects = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore arrived = new Semaphore(0);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    record Seen(String method, String path, Map<String, String> headers, String body) {
        String key() {
            return headers.getOrDefault("Idempotency-Key", "none");
        }
    }

    /** What becomes of one request. */
    interface Turn {
        void take(ScriptedServer server, Seen request, Socket client) throws Exception;
    }

    /** The charge is made, once per key, and answered. */
    static final Turn CHARGES = (server, request, client) -> server.charge(request, client);

    /** The charge is made, once per key, and the connection breaks. */
    static final Turn LOSES_THE_ANSWER = (server, request, client) -> server.effect(request);

    /** Nothing is done, and the connection breaks. */
    static final Turn LOSES_THE_REQUEST = (server, request, client) -> {};

    /** The charge is made, and the connection breaks in the middle of the answer. */
    static final Turn BREAKS_IN_THE_ANSWER = (server, request, client) -> {
        server.effect(request);
        client.getOutputStream().write("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\ncha".getBytes(ISO_8859_1));
    };

    ScriptedServer() {
        try {
            listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    /** @param headers names and values in turn */
    static Turn answers(int status, String body, String... headers) {
        return (server, request, client) -> write(client, status, body, headers);
    }

    static Turn problem(int status, String name, String... headers) {
        String body = "{\"type\":\"urn:semel:problem:" + name + "\",\"title\":\"t\"}";
        return (server, request, client) -> {
            String[] all = new String[headers.length + 2];
            System.arraycopy(headers, 0, all, 0, headers.length);
            all[headers.length] = "Content-Type";
            all[headers.length + 1] = "application/problem+json";
            write(client, status, body, all);
        };
    }

    /** Waits until it is let go, then does the next thing. */
    static Turn waitsFor(Semaphore letGo, Turn then) {
        return (server, request, client) -> {
            if (!letGo.tryAcquire(30, TimeUnit.SECONDS)) throw new AssertionError("Not let go.");
            then.take(server, request, client);
        };
    }

    ScriptedServer then(Turn... turns) {
        script.addAll(List.of(turns));
        return this;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
    }

    List<Seen> seen() {
        return seen;
    }

    List<String> keys() {
        return seen.stream().map(Seen::key).distinct().toList();
    }

    int effects() {
        return effects.get();
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }

    void awaitRequest() throws InterruptedException {
        if (!arrived.tryAcquire(30, TimeUnit.SECONDS)) throw new AssertionError("No request in time.");
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                open.add(client);
                Thread.startVirtualThread(() -> serve(client));
            } catch (IOException e) {
                // closed: the loop ends
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            Seen request = read(new BufferedInputStream(client.getInputStream()));
            seen.add(request);
            int now = running.incrementAndGet();
            mostAtOnce.accumulateAndGet(now, Math::max);
            arrived.release();
            Turn turn = script.poll();
            try {
                (turn == null ? CHARGES : turn).take(this, request, client);
            } finally {
                running.decrementAndGet();
            }
        } catch (Exception e) {
            // The client has gone.
        } finally {
            open.remove(client);
        }
    }

    private static Seen read(InputStream in) throws IOException {
        String[] first = line(in).split(" ");
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.merge(line.substring(0, colon), line.substring(colon + 1).strip(), (a, b) -> a + "," + b);
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        return new Seen(first[0], first[1], headers, new String(in.readNBytes(length), UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) throw new IOException("The client has gone.");
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private int effect(Seen request) {
        return charges.computeIfAbsent(request.key(), it -> effects.incrementAndGet());
    }

    private void charge(Seen request, Socket client) throws IOException {
        boolean replay = charges.containsKey(request.key());
        String body = "charge-" + effect(request);
        if (replay) write(client, 201, body, "Idempotent-Replayed", "true", "Set-Cookie", "session=1");
        else write(client, 201, body, "Set-Cookie", "session=1");
    }

    private static void write(Socket client, int status, String body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\nConnection: close\r\n");
        for (int i = 0; i < headers.length; i += 2)
            head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        byte[] bytes = body.getBytes(UTF_8);
        head.append("Content-Length: ").append(bytes.length).append("\r\n\r\n");
        client.getOutputStream().write(head.toString().getBytes(ISO_8859_1));
        client.getOutputStream().write(bytes);
        client.getOutputStream().flush();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
