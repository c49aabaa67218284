package dev.semel.servlet;

import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.Headers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** One request over one connection, and its answer, of which nothing is forgiven. For one thread. */
final class UpstreamConnection implements AutoCloseable {
    private static final int LARGEST_HEAD = 64 * 1024;

    private final Socket socket;
    private final long deadline;
    private final byte[] buffer = new byte[16 * 1024];
    private int at;
    private int end;
    private int headBytes;
    private long left;
    private Framing framing = Framing.NONE;

    private enum Framing {
        NONE,
        LENGTH,
        CHUNKS,
        CLOSE
    }

    /** Not one byte of a request has left. */
    static final class NotReachedException extends IOException {
        private static final long serialVersionUID = 1L;

        NotReachedException(IOException cause) {
            super(cause);
        }
    }

    record Head(int status, Headers headers) {}

    private UpstreamConnection(Socket socket, Duration timeout) {
        this.socket = socket;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    static UpstreamConnection open(UpstreamSettings upstream) throws NotReachedException {
        URI url = upstream.urls().getFirst();
        Socket plain = new Socket();
        try {
            plain.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int)
                    upstream.connectTimeout().toMillis());
            plain.setTcpNoDelay(true);
            if (!url.getScheme().equals("https")) return new UpstreamConnection(plain, upstream.timeout());
            SSLSocket secured = (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault())
                    .createSocket(plain, url.getHost(), url.getPort(), true);
            secured.startHandshake();
            return new UpstreamConnection(secured, upstream.timeout());
        } catch (IOException e) {
            close(plain);
            throw new NotReachedException(e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone either way
        }
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    void sendHead(String method, String target, Headers headers) throws IOException {
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        for (Headers.Field field : headers)
            head.append(field.name()).append(": ").append(field.value()).append("\r\n");
        out().write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The head of the final answer; interim ones are passed over. */
    Head receiveHead(String method) throws IOException {
        while (true) {
            headBytes = 0;
            String line = line();
            if (!line.matches("HTTP/1\\.1 [1-5][0-9][0-9] .*"))
                throw new ProtocolException("a status line that is none");
            int status = Integer.parseInt(line.substring(9, 12));
            Headers headers = fields();
            if (status == 101) throw new ProtocolException("another protocol begins");
            if (status < 200) continue;
            frame(method, status, headers);
            return new Head(status, headers);
        }
    }

    private void frame(String method, int status, Headers headers) throws ProtocolException {
        List<String> lengths = headers.all("Content-Length");
        if (method.equals("HEAD") || status == 204 || status == 304) return;
        if (headers.first("Transfer-Encoding") != null) {
            framing = Framing.CHUNKS;
        } else if (lengths.isEmpty()) {
            framing = Framing.CLOSE;
        } else {
            if (lengths.size() > 1 || !lengths.getFirst().matches("[0-9]{1,12}"))
                throw new ProtocolException("a length that is none");
            framing = Framing.LENGTH;
            left = Long.parseLong(lengths.getFirst());
        }
    }

    private Headers fields() throws IOException {
        List<Headers.Field> fields = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || !line.substring(0, colon).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+"))
                throw new ProtocolException("a line that is no header");
            String value = line.substring(colon + 1).strip();
            if (value.chars().anyMatch(c -> c < ' ' && c != '\t')) throw new ProtocolException("a control character");
            fields.add(new Headers.Field(line.substring(0, colon), value));
        }
        return Headers.of(fields);
    }

    /** The next bytes of the body; negative at its end. */
    int receive(byte[] to) throws IOException {
        switch (framing) {
            case NONE -> {
                return -1;
            }
            case CLOSE -> {
                if (at == end && !fill()) return -1;
            }
            case LENGTH -> {
                if (left == 0) return -1;
            }
            case CHUNKS -> {
                if (left == 0 && !nextChunk()) return -1;
            }
        }
        if (at == end && !fill()) throw new EOFException("the answer broke off");
        int count = Math.min(end - at, to.length);
        if (framing != Framing.CLOSE) count = (int) Math.min(count, left);
        System.arraycopy(buffer, at, to, 0, count);
        at += count;
        if (framing != Framing.CLOSE) left -= count;
        if (framing == Framing.CHUNKS && left == 0 && !line().isEmpty())
            throw new ProtocolException("a chunk longer than it said");
        return count;
    }

    private boolean nextChunk() throws IOException {
        headBytes = 0;
        String size = line();
        if (!size.matches("[0-9a-fA-F]{1,8}(;.*)?")) throw new ProtocolException("a chunk size that is none");
        left = Long.parseLong(size.split(";", 2)[0], 16);
        if (left > 0) return true;
        fields();
        framing = Framing.NONE;
        return false;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(80);
        while (true) {
            char c = octet();
            if (c == '\n') throw new ProtocolException("a bare LF");
            if (c == '\r') {
                if (octet() != '\n') throw new ProtocolException("a bare CR");
                return line.toString();
            }
            line.append(c);
        }
    }

    private char octet() throws IOException {
        if (at == end && !fill()) throw new EOFException("the answer broke off");
        if (++headBytes > LARGEST_HEAD) throw new ProtocolException("a head that does not end");
        return (char) (buffer[at++] & 0xff);
    }

    private boolean fill() throws IOException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) throw new SocketTimeoutException("no full answer in time");
        socket.setSoTimeout((int) millis);
        InputStream in = socket.getInputStream();
        int count = in.read(buffer);
        at = 0;
        end = Math.max(0, count);
        return count > 0;
    }

    @Override
    public void close() {
        close(socket);
    }
}
