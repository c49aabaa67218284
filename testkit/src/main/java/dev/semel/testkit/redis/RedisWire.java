package dev.semel.testkit.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of Redis in its plainest form: a test's own look into a server, which shares no code with any client. Bytes
 * are read as ISO-8859-1, so that a text has one char for each. For one thread.
 */
public final class RedisWire implements AutoCloseable {
    private static final int LONGEST_SILENCE_MS = 60_000;

    private final Socket socket;
    private final InputStream in;

    private RedisWire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** What a server says no with. */
    public static final class ErrorReply extends RuntimeException {
        private static final long serialVersionUID = 1;

        ErrorReply(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    public static RedisWire to(int port) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(LONGEST_SILENCE_MS);
            return new RedisWire(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Says a command of texts.
     *
     * @return a String, a Long, a List of these, or null
     * @throws ErrorReply when the server says no
     */
    public @Nullable Object call(String... command) {
        byte[][] parts = new byte[command.length][];
        for (int i = 0; i < parts.length; i++) parts[i] = command[i].getBytes(UTF_8);
        return call(parts);
    }

    /** The same for parts that need not be texts. */
    public @Nullable Object call(byte[]... command) {
        try {
            send(command);
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(byte[][] command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(("*" + command.length + "\r\n").getBytes(UTF_8));
        for (byte[] part : command) {
            out.write(("$" + part.length + "\r\n").getBytes(UTF_8));
            out.write(part);
            out.write(new byte[] {'\r', '\n'});
        }
        socket.getOutputStream().write(out.toByteArray());
    }

    /** What comes next, such as a message to a subscriber. */
    public @Nullable Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case ':' -> Long.valueOf(rest);
            case '-' -> throw new ErrorReply(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("Redis does not say " + line);
        };
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) throw new EOFException("Redis hung up.");
            line.append((char) next);
        }
        in.read();
        return line.toString();
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) return null;
        String text = new String(in.readNBytes(length), ISO_8859_1);
        in.readNBytes(2);
        return text;
    }

    private @Nullable List<@Nullable Object> array(int length) throws IOException {
        if (length < 0) return null;
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < length; i++) values.add(read());
        return values;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
