package dev.semel.torture.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one gateway that is kept while it works, and opened anew when it does not. For one thread. Reads only
 * such HTTP as a gateway answers with.
 */
final class GatewayConnection implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_000;

    private final InetSocketAddress address;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    GatewayConnection(InetSocketAddress address) {
        this.address = address;
    }

    /** @throws IOException when no whole answer came; the connection is closed then */
    Answer exchange(byte[] request, int timeoutMillis) throws IOException {
        try {
            send(request, request.length, timeoutMillis);
            Answer answer = receive();
            if (answer.closes()) close();
            return answer;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Sends the first so many bytes, and is gone before anything comes back. */
    void sendAndHangUp(byte[] request, int length, boolean reset) throws IOException {
        try {
            Socket open = send(request, length, CONNECT_MILLIS);
            if (reset) open.setSoLinger(true, 0);
        } finally {
            close();
        }
    }

    /** Sends all, and is gone as soon as a bit of the answer has come. */
    void hangUpOnAnswer(byte[] request, int timeoutMillis) throws IOException {
        try {
            send(request, request.length, timeoutMillis).getInputStream().read();
        } finally {
            close();
        }
    }

    private Socket send(byte[] request, int length, int timeoutMillis) throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket();
            socket = open;
            open.setTcpNoDelay(true);
            open.connect(address, CONNECT_MILLIS);
            in = new BufferedInputStream(open.getInputStream());
        }
        open.setSoTimeout(timeoutMillis);
        open.getOutputStream().write(request, 0, length);
        return open;
    }

    private Answer receive() throws IOException {
        String head = line();
        int length = 0;
        boolean replayed = false;
        boolean closes = false;
        boolean chunked = false;
        for (String field = field(); !field.isEmpty(); field = field()) {
            if (field.startsWith("content-length:"))
                length = Integer.parseInt(field.substring(15).strip());
            if (field.startsWith("idempotent-replayed:")) replayed = field.endsWith("true");
            if (field.startsWith("connection:")) closes = field.endsWith("close");
            if (field.startsWith("transfer-encoding:")) chunked = true;
        }
        byte[] body = chunked ? chunks() : exactly(length);
        return new Answer(Integer.parseInt(head.substring(9, 12)), replayed, closes, body);
    }

    private String field() throws IOException {
        return line().toLowerCase(Locale.ROOT);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            byte[] piece = exactly(Integer.parseInt(line(), 16));
            line();
            if (piece.length == 0) return body.toByteArray();
            body.writeBytes(piece);
        }
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = input().readNBytes(length);
        if (bytes.length < length) throw new EOFException("cut off");
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int next; (next = input().read()) != '\n'; ) {
            if (next < 0) throw new EOFException("cut off");
            if (next != '\r') bytes.write(next);
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    private InputStream input() throws IOException {
        if (in == null) throw new EOFException("closed");
        return in;
    }

    @Override
    public void close() {
        try {
            if (socket != null) socket.close();
        } catch (IOException gone) {
            // As it should be.
        }
        socket = null;
        in = null;
    }
}
