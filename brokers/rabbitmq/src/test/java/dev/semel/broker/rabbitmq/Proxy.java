package dev.semel.broker.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Stands between a client and a server, and can lose what the server says. */
final class Proxy implements AutoCloseable {
    private final ServerSocket door;
    private final int server;
    private final List<Socket> sockets = new ArrayList<>();
    private volatile boolean mute;

    Proxy(int server) {
        this.server = server;
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "amqp://guest:guest@127.0.0.1:" + door.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
                synchronized (this) {
                    sockets.add(client);
                    sockets.add(upstream);
                }
                Thread.ofVirtual().start(() -> pass(client, upstream, false));
                Thread.ofVirtual().start(() -> pass(upstream, client, true));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void pass(Socket from, Socket to, boolean answers) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[16_384];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) if (!answers || !mute) out.write(buffer, 0, n);
        } catch (IOException e) {
            // Cut.
        }
    }

    /** From now on, what the server says does not arrive. */
    void mute() {
        mute = true;
    }

    /** Ends all connections; new ones are heard again. */
    synchronized void cut() {
        for (Socket socket : sockets)
            try {
                socket.close();
            } catch (IOException e) {
                // Closed already.
            }
        sockets.clear();
        mute = false;
    }

    @Override
    public void close() throws IOException {
        door.close();
        cut();
    }
}
