package dev.semel.store.cassandra;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The way to a server. It counts the statements that pass, by the protocol's own framing, and can lose what is said. */
final class CqlWire implements AutoCloseable {
    /** What gets lost. */
    enum Loss {
        NOTHING,
        REQUESTS,
        ANSWERS
    }

    private static final int STARTUP = 1;
    private static final List<Integer> STATEMENTS = List.of(7, 10, 13); // query, execute, batch
    private static final int ENVELOPE_HEADER = 9;
    private static final int SEGMENT_HEADER = 6;
    private static final int SEGMENT_CHECKSUM = 4;
    private static final int SEGMENT_LENGTH = (1 << 17) - 1;
    private static final int FIRST_FRAMED_VERSION = 5;

    private final ServerSocket listener;
    private final int server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger statements = new AtomicInteger();
    private volatile Loss loss = Loss.NOTHING;

    private CqlWire(ServerSocket listener, int server) {
        this.listener = listener;
        this.server = server;
    }

    static CqlWire to(int server) throws IOException {
        CqlWire wire = new CqlWire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server);
        Thread.ofVirtual().start(wire::accept);
        return wire;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many statements have passed so far. */
    int statements() {
        return statements.get();
    }

    void lose(Loss what) {
        loss = what;
    }

    /** Breaks all connections; new ones are taken. */
    void cut() {
        for (Socket socket : sockets) close(socket);
        sockets.clear();
    }

    private void accept() {
        while (true) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                sockets.addAll(List.of(near, far));
                Thread.ofVirtual().start(() -> carryRequests(near, far));
                Thread.ofVirtual().start(() -> carryAnswers(far, near));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void carryRequests(Socket from, Socket to) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            boolean framed = false;
            Envelopes envelopes = new Envelopes();
            while (true) {
                byte[] piece = framed ? segment(in, envelopes) : envelope(in);
                if (!framed && piece[4] == STARTUP) framed = (piece[0] & 0x7f) >= FIRST_FRAMED_VERSION;
                else if (!framed) envelopes.take(piece);
                if (loss != Loss.REQUESTS) to.getOutputStream().write(piece);
            }
        } catch (IOException gone) {
            // As it should be.
        }
    }

    private static byte[] envelope(DataInputStream in) throws IOException {
        byte[] header = new byte[ENVELOPE_HEADER];
        in.readFully(header);
        byte[] body = new byte[ByteBuffer.wrap(header).getInt(5)];
        in.readFully(body);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(header);
        whole.write(body);
        return whole.toByteArray();
    }

    private static byte[] segment(DataInputStream in, Envelopes envelopes) throws IOException {
        byte[] header = new byte[SEGMENT_HEADER];
        in.readFully(header);
        int bits = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
        byte[] payload = new byte[bits & SEGMENT_LENGTH];
        in.readFully(payload);
        envelopes.take(payload);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(header);
        whole.write(payload);
        whole.write(in.readNBytes(SEGMENT_CHECKSUM));
        return whole.toByteArray();
    }

    /** Finds the messages in what a client says; a long one spans several segments. */
    private final class Envelopes {
        private int left;

        void take(byte[] payload) {
            int at = 0;
            while (at < payload.length) {
                if (left == 0) {
                    if (STATEMENTS.contains((int) payload[at + 4])) statements.incrementAndGet();
                    left = ENVELOPE_HEADER + ByteBuffer.wrap(payload).getInt(at + 5);
                }
                int taken = Math.min(left, payload.length - at);
                left -= taken;
                at += taken;
            }
        }
    }

    private void carryAnswers(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[16 * 1024];
            for (int count; (count = in.read(piece)) >= 0; ) if (loss != Loss.ANSWERS) out.write(piece, 0, count);
        } catch (IOException gone) {
            // As it should be.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
