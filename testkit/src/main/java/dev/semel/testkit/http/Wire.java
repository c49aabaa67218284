package dev.semel.testkit.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads HTTP/1.1 from a socket and forgives nothing: CRLF ends a line, a length is digits, a chunk ends where it said
 * it would. For one thread. Keeps the beginning of what came since {@link #begin}, to show it when something is wrong.
 */
final class Wire {
    /** For a reader that waits as long as the connection lives. */
    static final Duration FOR_EVER = Duration.ZERO;

    private static final int LONGEST_LINE = 256 * 1024;
    private static final int SHOWN = 1024;

    private final Socket socket;
    private final InputStream in;
    private final Duration limit;
    private final byte[] buffer = new byte[64 * 1024];
    private int at;
    private int end;
    private long deadline;
    private boolean afterChunk;

    private final byte[] beginning = new byte[SHOWN];
    private long received;

    Wire(Socket socket, Duration limit) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.limit = limit;
        begin();
    }

    /** What was read cannot be HTTP. */
    static final class Malformed extends IOException {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /** Starts the time limit anew, and forgets what came before. */
    void begin() {
        deadline = System.nanoTime() + limit.toNanos();
        received = 0;
    }

    /** How many bytes were read since {@link #begin}. */
    long received() {
        return received;
    }

    byte[] beginning() {
        return Arrays.copyOf(beginning, (int) Math.min(received, SHOWN));
    }

    /** One line without its CRLF, one char per byte. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder(80);
        while (true) {
            char c = (char) octet();
            if (c == '\n') throw new Malformed("a line that ends with a bare LF: " + line);
            if (c == '\r') {
                if (octet() != '\n') throw new Malformed("a CR without LF after: " + line);
                return line.toString();
            }
            line.append(c);
            if (line.length() > LONGEST_LINE) throw new Malformed("a line that does not end");
        }
    }

    /** Header or trailer lines up to and including the empty one. */
    Fields fields() throws IOException {
        List<Fields.Field> fields = new ArrayList<>();
        while (true) {
            String line = line();
            if (line.isEmpty()) return Fields.of(fields);
            int colon = line.indexOf(':');
            if (colon <= 0 || !line.substring(0, colon).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+"))
                throw new Malformed("a line that is no header: " + line);
            fields.add(new Fields.Field(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
    }

    /** Takes memory for what comes, not for what was announced. */
    byte[] exactly(long count) throws IOException {
        Bytes body = new Bytes();
        for (long left = count; left > 0; ) {
            if (at == end) fill();
            int step = (int) Math.min(end - at, left);
            body.add(Arrays.copyOfRange(buffer, at, at + step));
            at += step;
            left -= step;
        }
        return body.all();
    }

    /** The chunks up to the last one, joined, and the trailers after it thrown away. */
    byte[] chunks() throws IOException {
        Bytes body = new Bytes();
        while (true) {
            byte[] chunk = chunk();
            if (chunk.length == 0) break;
            body.add(chunk);
        }
        fields();
        return body.all();
    }

    /** The next chunk; empty for the last one, after which the trailers stand. The line end of one may come with the next. */
    byte[] chunk() throws IOException {
        if (afterChunk && !line().isEmpty()) throw new Malformed("a chunk longer than it said");
        String size = line();
        int semicolon = size.indexOf(';');
        String digits = semicolon < 0 ? size : size.substring(0, semicolon);
        if (!digits.matches("[0-9a-fA-F]{1,8}")) throw new Malformed("a chunk size that is none: " + size);
        byte[] chunk = exactly(Long.parseLong(digits, 16));
        afterChunk = chunk.length > 0;
        return chunk;
    }

    byte[] untilClose() throws IOException {
        Bytes body = new Bytes();
        try {
            while (true) {
                if (at == end) fill();
                body.add(Arrays.copyOfRange(buffer, at, end));
                at = end;
            }
        } catch (EOFException e) {
            return body.all();
        }
    }

    private int octet() throws IOException {
        if (at == end) fill();
        return buffer[at++] & 0xff;
    }

    private void fill() throws IOException {
        if (!limit.isZero()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) throw new SocketTimeoutException("time is up");
            socket.setSoTimeout((int) left);
        }
        int count = in.read(buffer);
        if (count < 0) throw new EOFException("the other side closed the connection");
        at = 0;
        end = count;
        if (received < SHOWN)
            System.arraycopy(buffer, 0, beginning, (int) received, (int) Math.min(count, SHOWN - received));
        received += count;
    }

    /** Bytes as text that can be printed: what is not visible ASCII stands as \xNN. */
    static String show(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            if (c == '\n' || (c >= ' ' && c < 0x7f)) text.append(c);
            else if (c != '\r') text.append(String.format("\\x%02x", (int) c));
            if (text.length() > SHOWN) return text + " ...";
        }
        return text.toString();
    }

    /** Lines with CRLF between them. */
    static String lines(String... lines) {
        return String.join("\r\n", lines);
    }

    static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
