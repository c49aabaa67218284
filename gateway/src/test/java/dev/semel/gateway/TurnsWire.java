package dev.semel.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way to a server, on which turns are counted, in any protocol: a turn begins when a client says something after the
 * server has, or for the first time. Where one question is asked at a time, turns are round trips.
 */
final class TurnsWire implements AutoCloseable {
    private static final int PIECE = 64 * 1024;

    private final ServerSocket listener;
    private final int server;
    private final AtomicInteger turns = new AtomicInteger();

    interface Call {
        void run() throws Exception;
    }

    private TurnsWire(int server) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.server = server;
    }

    static TurnsWire to(int server) {
        try {
            TurnsWire wire = new TurnsWire(server);
            Thread.ofVirtual().start(wire::accept);
            return wire;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of the server, by this way. */
    String url(String url) {
        return url.replace(":" + server, ":" + listener.getLocalPort());
    }

    /** How many turns this takes. */
    int turns(Call call) throws Exception {
        int before = turns.get();
        call.run();
        return turns.get() - before;
    }

    private void accept() {
        while (true) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                AtomicInteger asking = new AtomicInteger();
                Thread.ofVirtual().start(() -> carry(near, far, asking, 1));
                Thread.ofVirtual().start(() -> carry(far, near, asking, 0));
            } catch (IOException over) {
                return;
            }
        }
    }

    /** Both ends learn when one is gone. */
    private void carry(Socket from, Socket to, AtomicInteger asking, int who) {
        try (from;
                to) {
            byte[] piece = new byte[PIECE];
            for (int count; (count = from.getInputStream().read(piece)) >= 0; ) {
                if (asking.getAndSet(who) == 0 && who == 1) turns.incrementAndGet();
                to.getOutputStream().write(piece, 0, count);
            }
        } catch (IOException gone) {
            // As it should be.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
