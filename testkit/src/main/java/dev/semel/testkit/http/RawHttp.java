package dev.semel.testkit.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * One client connection that sends exactly the bytes it is given, however wrong they are, and reads responses strictly.
 * For one thread at a time. Every reading has a time limit, and fails with what came until then.
 */
public final class RawHttp implements AutoCloseable {
    private final Socket socket;
    private final OutputStream out;
    private final Wire wire;

    private RawHttp(Socket socket, Duration limit) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.out = socket.getOutputStream();
        this.wire = new Wire(socket, limit);
    }

    public static RawHttp connect(InetSocketAddress address, Duration limit) throws IOException {
        Socket socket = new Socket();
        socket.connect(address, (int) limit.toMillis());
        return new RawHttp(socket, limit);
    }

    /** One request, one response, one connection. */
    public static Received exchange(InetSocketAddress address, RawRequest request, Duration limit) throws IOException {
        try (RawHttp connection = connect(address, limit)) {
            connection.send(request.bytes());
            return connection.receive(request.method());
        }
    }

    /** Writes all of it. A peer that has stopped reading is no failure here: what it answered, if anything, will tell. */
    public void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    public void send(byte[] bytes, int from, int to) throws IOException {
        try {
            out.write(bytes, from, to - from);
            out.flush();
        } catch (SocketException e) {
            if (socket.isClosed()) throw e;
        }
    }

    /** Writes so many bytes at a time, each piece in a packet of its own as far as the system allows. */
    public void sendInPieces(byte[] bytes, int size) throws IOException {
        for (int at = 0; at < bytes.length; at += size) send(bytes, at, Math.min(bytes.length, at + size));
    }

    /**
     * Reads the final response to a request with this method; interim ones (1xx) are passed over.
     *
     * @throws AssertionError when time is up, or what came is no HTTP
     */
    public Received receive(String method) throws IOException {
        wire.begin();
        try {
            while (true) {
                Received.Response response = receiveOne(method);
                if (response.status() >= 200 || response.status() == 101) return response;
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("No full response in time, only: " + Wire.show(wire.beginning()), e);
        } catch (Wire.Malformed e) {
            throw new AssertionError("Not HTTP: " + e.getMessage() + "\n" + Wire.show(wire.beginning()), e);
        } catch (EOFException | SocketException e) {
            return new Received.CutOff(wire.received(), wire.beginning());
        }
    }

    /** Reads the head of an interim response, such as 100 Continue, and gives its status. */
    public int receiveInterim() throws IOException {
        wire.begin();
        return receiveOne("HEAD").status();
    }

    private Received.Response receiveOne(String method) throws IOException {
        String line = wire.line();
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?"))
            throw new Wire.Malformed("a status line that is none: " + line);
        int status = Integer.parseInt(line.substring(9, 12));
        String reason = line.length() > 13 ? line.substring(13) : "";
        Fields headers = wire.fields();
        byte[] body = hasNoBody(method, status) ? new byte[0] : body(headers);
        return new Received.Response(status, reason, headers, body);
    }

    private static boolean hasNoBody(String method, int status) {
        return method.equals("HEAD") || status < 200 || status == 204 || status == 304;
    }

    private byte[] body(Fields headers) throws IOException {
        boolean chunked = headers.all("Transfer-Encoding").stream().anyMatch(it -> it.equalsIgnoreCase("chunked"));
        String length = headers.first("Content-Length");
        if (chunked && length != null) throw new Wire.Malformed("a response with a length and with chunks");
        if (headers.all("Content-Length").size() > 1) throw new Wire.Malformed("a response with two lengths");
        if (chunked) return wire.chunks();
        if (length == null) return wire.untilClose();
        if (!length.matches("[0-9]{1,12}")) throw new Wire.Malformed("a length that is none: " + length);
        return wire.exactly(Long.parseLong(length));
    }

    /** What a client does between the beginning of a response and the rest of it. */
    public interface Meanwhile {
        void run() throws IOException;
    }

    /** Reads a head and at least so many bytes of the body, does something else, then reads the rest. */
    public Received.Response receiveInTwo(int bytes, Meanwhile meanwhile) throws IOException {
        wire.begin();
        try {
            String line = wire.line();
            Fields headers = wire.fields();
            Bytes body = new Bytes();
            String length = headers.first("Content-Length");
            if (length == null) while (body.size() < bytes) body.add(wire.chunk());
            else body.add(wire.exactly(bytes));
            meanwhile.run();
            wire.begin();
            body.add(length == null ? wire.chunks() : wire.exactly(Long.parseLong(length) - bytes));
            return new Received.Response(Integer.parseInt(line.substring(9, 12)), "", headers, body.all());
        } catch (SocketTimeoutException e) {
            throw new AssertionError("Not in time; there is only: " + Wire.show(wire.beginning()), e);
        }
    }

    /** True once the other side has closed or reset the connection; false when it is still open at the time limit. */
    public boolean isEnded() throws IOException {
        wire.begin();
        try {
            wire.untilClose();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    /** Says that nothing more will come, and can still read. */
    public void endSending() throws IOException {
        try {
            socket.shutdownOutput();
        } catch (SocketException e) {
            // The other side has gone already; reading will tell.
        }
    }

    /** Goes away in the orderly way: everything sent so far arrives, then the end. */
    public void hangUp() throws IOException {
        socket.close();
    }

    /** Goes away like a crashed machine that comes back: the other side gets a reset. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
