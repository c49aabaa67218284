package dev.semel.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The way to a server, which counts what is said and can keep the next answer to itself. */
final class Wire implements AutoCloseable {
    private static final int PIECE = 64 * 1024;

    private final ServerSocket listener;
    private final int server;
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch kept = new CountDownLatch(1);
    private volatile boolean keeping;
    private volatile boolean answered = true;

    private Wire(ServerSocket listener, int server) {
        this.listener = listener;
        this.server = server;
    }

    static Wire to(int server) throws IOException {
        Wire wire = new Wire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), server);
        Thread.ofVirtual().start(wire::accept);
        return wire;
    }

    String url() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    /** How often someone has said something after the last answer: each time is a round trip. */
    int roundTrips() {
        return asked.get();
    }

    /** From now on no answer arrives. */
    void keepAnswers() {
        keeping = true;
    }

    void awaitKept() throws InterruptedException {
        if (!kept.await(1, TimeUnit.MINUTES)) throw new IllegalStateException("Nobody has answered.");
        keeping = false;
    }

    private void accept() {
        while (true) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> carry(near, far, false));
                Thread.ofVirtual().start(() -> carry(far, near, true));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void carry(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int count; (count = in.read(piece)) >= 0; ) {
                if (!answers && answered) asked.incrementAndGet();
                answered = answers;
                if (answers && keeping) {
                    kept.countDown();
                    return;
                }
                out.write(piece, 0, count);
            }
        } catch (IOException gone) {
            // As it should be.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
