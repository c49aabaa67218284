package dev.semel.gateway;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 client that sends exactly the frames it is told to. For one thread; every reading has a time limit. */
final class RawFrames implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GO_AWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    private static final int PRIORITIZED = 0x20;

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();

    record Frame(int type, int flags, int stream, byte[] payload) {
        /** The error code of a GOAWAY or of a reset. */
        int code() {
            int at = type == GO_AWAY ? 4 : 0;
            return Unpooled.wrappedBuffer(payload).getInt(at);
        }
    }

    /** Says hello with these settings, each an id and a value. */
    RawFrames(Socket socket, int... settings) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        this.in = new DataInputStream(socket.getInputStream());
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        for (int i = 0; i < settings.length; i += 2) {
            payload.writeBytes(number(settings[i], 2));
            payload.writeBytes(number(settings[i + 1], 4));
        }
        write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, payload.toByteArray());
    }

    /** A peer that has gone is no failure here: reading will tell. */
    boolean send(int type, int flags, int stream, byte... payload) throws IOException {
        return write(frame(type, flags, stream, payload));
    }

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(number(payload.length, 3));
        frame.write(type);
        frame.write(flags);
        frame.writeBytes(number(stream, 4));
        frame.writeBytes(payload);
        return frame.toByteArray();
    }

    boolean write(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    static byte[] number(int number, int bytes) {
        byte[] out = new byte[bytes];
        for (int i = 0; i < bytes; i++) out[i] = (byte) (number >>> 8 * (bytes - 1 - i));
        return out;
    }

    /** The head of a request, of names and values. */
    static byte[] head(String method, String path, String... more) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        field(block, ":authority", "localhost");
        block.writeBytes(headWithoutHost(method, path, more));
        return block.toByteArray();
    }

    static byte[] headWithoutHost(String method, String path, String... more) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        String[] first = {":method", method, ":scheme", "http", ":path", path};
        for (int i = 0; i < first.length; i += 2) field(block, first[i], first[i + 1]);
        for (int i = 0; i < more.length; i += 2) field(block, more[i], more[i + 1]);
        return block.toByteArray();
    }

    /** A literal that enters no table. */
    private static void field(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        text(block, name);
        text(block, value);
    }

    private static void text(ByteArrayOutputStream block, String text) {
        int length = text.length();
        if (length < 127) {
            block.write(length);
        } else {
            block.write(127);
            int rest = length - 127;
            for (; rest >= 128; rest >>>= 7) block.write(rest & 127 | 128);
            block.write(rest);
        }
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The next frame; null when the connection has ended. */
    @Nullable
    Frame next() throws IOException {
        try {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            return new Frame(type, flags, stream, in.readNBytes(length));
        } catch (EOFException | SocketException e) {
            return null;
        }
    }

    /** The next frame of this type; null when the connection ends before. */
    @Nullable
    Frame next(int type) throws IOException {
        Frame frame = next();
        while (frame != null && frame.type() != type) frame = next();
        return frame;
    }

    /** The status of the next answer, whatever its stream; -1 when the connection ends before. */
    int status() throws IOException, Http2Exception {
        Frame frame = next(HEADERS);
        return frame == null ? -1 : statusOf(frame);
    }

    int statusOf(Frame frame) throws Http2Exception {
        int before = (frame.flags() & PRIORITIZED) == 0 ? 0 : 5;
        ByteBuf block = Unpooled.wrappedBuffer(frame.payload()).skipBytes(before);
        Http2Headers headers = decoder.decodeHeaders(frame.stream(), block);
        return Integer.parseInt(headers.status().toString());
    }

    /** Reads to the end of the connection. The code of the first GOAWAY, or -1 when there was none. */
    int codeAtTheEnd() throws IOException {
        Frame first = next(GO_AWAY);
        for (Frame frame = first; frame != null; ) frame = next();
        return first == null ? -1 : first.code();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
