package dev.semel.store.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** Those that are open, and whoever waits for their end. */
    private final Phaser connections = new Phaser(1);

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
                connections.register();
                Thread.ofVirtual().start(() -> carryRequests(near, far));
                Thread.ofVirtual().start(() -> carryAnswers(far, near));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void carryRequests(Socket near, Socket far) {
        try (near) {
            InputStream in = near.getInputStream();
            OutputStream out = far.getOutputStream();
            byte[] piece = new byte[PIECE];
            for (int count; (count = in.read(piece)) >= 0; ) if (passes(false)) out.write(piece, 0, count);
        } catch (IOException gone) {
            // As it should be.
        }
        sayNothingMore(far);
    }

    /** The database ends the connection itself, when it is done with what was said to it. */
    private static void sayNothingMore(Socket far) {
        try {
            far.shutdownOutput();
        } catch (IOException gone) {
            // It has ended it already.
        }
    }

    /** To the end, also when nobody hears them any more. */
    private void carryAnswers(Socket far, Socket near) {
        try (far;
                near) {
            InputStream in = far.getInputStream();
            byte[] piece = new byte[PIECE];
            for (int count; (count = in.read(piece)) >= 0; ) if (passes(true)) write(near, piece, count);
        } catch (IOException gone) {
            // As it should be.
        } finally {
            connections.arriveAndDeregister();
        }
    }

    private static void write(Socket near, byte[] piece, int count) {
        try {
            near.getOutputStream().write(piece, 0, count);
        } catch (IOException gone) {
            // It was killed.
        }
    }

    private boolean passes(boolean answers) {
        if (!answers) requests.incrementAndGet();
        Hold now = hold;
        if (now == null) return true;
        if (answers == (now == Hold.ANSWER)) held.countDown();
        return now == Hold.NOTHING || answers != (now == Hold.ANSWER);
    }

    /** Until the database is done with all that was said to it. Nobody says anything more when this is called. */
    void awaitOver() throws InterruptedException {
        try {
            connections.awaitAdvanceInterruptibly(connections.arrive(), 1, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            throw new IllegalStateException("The database is still at work for somebody who is gone.", e);
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
