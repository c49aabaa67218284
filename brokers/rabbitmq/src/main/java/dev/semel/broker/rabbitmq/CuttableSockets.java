package dev.semel.broker.rabbitmq;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * The sockets of one connection, of which one is in use. Cut, they end whatever is reading, writing or connecting by them; a client
 * library would wait. Safe for use by any thread.
 */
final class CuttableSockets {
    private final List<Socket> sockets = new ArrayList<>();
    private boolean cut;

    synchronized void add(Socket socket) throws IOException {
        if (cut) throw new IOException("It took too long.");
        sockets.add(socket);
    }

    /** What was written and has not left this machine never does. */
    synchronized void cut() {
        cut = true;
        sockets.forEach(CuttableSockets::close);
        sockets.clear();
    }

    private static void close(Socket socket) {
        try {
            // Else closing TLS waits for what is being written.
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already, or was never connected.
        }
        try {
            socket.close();
        } catch (IOException e) {
            // Then it is broken, which will do.
        }
    }
}
