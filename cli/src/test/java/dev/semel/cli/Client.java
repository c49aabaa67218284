package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.cli.HttpMessage.Field;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A client with one kept connection, opened when it is needed. It never sends anything twice by itself. A failure means
 * that there was no whole answer. Used by one thread at a time.
 */
final class Client implements AutoCloseable {
    private static final int LONGEST_SILENCE_MILLIS = 60_000;

    private final int port;
    private Socket socket = new Socket();
    private InputStream in = InputStream.nullInputStream();

    Client(int port) {
        this.port = port;
    }

    /** One answer on a connection of its own. */
    static Answer get(int port, String path, Field... more) throws IOException {
        try (Client client = new Client(port)) {
            return client.send("GET", path, "", more);
        }
    }

    /** The same with the order that goes with this key. */
    static Answer order(int port, String key, Field... more) throws IOException {
        try (Client client = new Client(port)) {
            return client.order(key, more);
        }
    }

    /** Sends the order that goes with this key: the same bytes each time. */
    Answer order(String key, Field... more) throws IOException {
        Field[] fields = Arrays.copyOf(more, more.length + 1);
        fields[more.length] = new Field("Idempotency-Key", key);
        return send("POST", "/v1/orders", bodyOf(key), fields);
    }

    /** The same without a key: nothing guards it. */
    Answer unguardedOrder(String name) throws IOException {
        return send("POST", "/v1/orders", bodyOf(name), new Field("X-Unguarded", name));
    }

    /** A write with a version, and without a key. */
    Answer write(String path, long version) throws IOException {
        return send("PUT", path, "", new Field("If-Match", "\"" + version + "\""));
    }

    /** Any request; with an empty text, one without a body. */
    Answer send(String method, String path, String json, Field... more) throws IOException {
        byte[] body = json.getBytes(UTF_8);
        List<Field> fields = new ArrayList<>(List.of(more));
        fields.addFirst(host(port));
        if (body.length > 0) fields.add(new Field("Content-Type", "application/json"));
        if (!method.equals("GET")) fields.add(new Field("Content-Length", Integer.toString(body.length)));
        return send(new HttpMessage(method + " " + path + " HTTP/1.1", fields, body));
    }

    private static String bodyOf(String name) {
        return "{\"order\":\"" + name + "\",\"amount\":" + Math.floorMod(name.hashCode(), 10_000) + "}";
    }

    private static Field host(int port) {
        return new Field("Host", "127.0.0.1:" + port);
    }

    private Answer send(HttpMessage request) throws IOException {
        try {
            if (socket.isClosed() || !socket.isConnected()) connect();
            request.write(socket.getOutputStream());
            Answer answer = Answer.of(HttpMessage.read(in));
            if (answer.header("Connection").equalsIgnoreCase("close")) socket.close();
            return answer;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void connect() throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(LONGEST_SILENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Hangs up, also from another thread. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
