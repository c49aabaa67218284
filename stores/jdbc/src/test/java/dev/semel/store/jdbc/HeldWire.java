package dev.semel.store.jdbc;

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

/** The way to a database, which can be told to keep what comes next. */
final class HeldWire implements AutoCloseable {
    /** What happens to the next thing that is said. */
    enum Hold {
        /** It never arrives. */
        REQUEST,
        /** It arrives, and is answered; the answer does not arrive. */
        ANSWER,
        /** It arrives, and its answer may too. */
        NOTHING
    }

    private static final int PIECE = 16 * 1024;

    private final ServerSocket listener;
    private final int database;
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Hold hold;

    private HeldWire(ServerSocket listener, int database) {
        this.listener = listener;
        this.database = database;
    }

    static HeldWire to(int database) throws IOException {
        HeldWire wire = new HeldWire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), database);
        Thread.ofVirtual().start(wire::accept);
        return wire;
    }

    int port() {
        return listener.getLocalPort();
    }

    /** From now on. Asked once at most. */
    void holdNext(Hold what) {
        hold = what;
    }

    /** How often somebody has said something to the database. */
    int requests() {
        return requests.get();
    }

    /** Until what was to be held is held. */
    void awaitHeld() throws InterruptedException {
        if (!held.await(1, TimeUnit.MINUTES)) throw new IllegalStateException("Nobody has said anything.");
    }

    private void accept() {
        while (true) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), database);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> carry(near, far, false));
                Thread.ofVirtual().start(() -> carry(far, near, true));
            } catch (IOException over) {
                return;
            }
        }
    }

    /** Both ends learn when one is gone. */
    private void carry(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int count; (count = in.read(piece)) >= 0; ) if (passes(answers)) out.write(piece, 0, count);
        } catch (IOException gone) {
            // As it should be.
        }
    }

    private boolean passes(boolean answers) {
        if (!answers) requests.incrementAndGet();
        Hold now = hold;
        if (now == null) return true;
        if (answers == (now == Hold.ANSWER)) held.countDown();
        return now == Hold.NOTHING || answers != (now == Hold.ANSWER);
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
