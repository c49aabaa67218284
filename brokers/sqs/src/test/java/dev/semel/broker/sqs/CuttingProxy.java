package dev.semel.broker.sqs;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between a client and a server, and can cut all connections, whatever is under way on them. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int to;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    CuttingProxy(int to) throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.to = to;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                open.add(client);
                open.add(server);
                Thread.ofVirtual().start(() -> pump(client, server));
                Thread.ofVirtual().start(() -> pump(server, client));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Cut, or closed by either side.
        }
        open.remove(from);
        open.remove(to);
    }

    void cut() {
        for (Socket each : open) quietly(each);
    }

    private static void quietly(Closeable open) {
        try {
            open.close();
        } catch (IOException e) {
            // It is gone, whatever it says.
        }
    }

    @Override
    public void close() {
        quietly(listening);
        cut();
    }
}
