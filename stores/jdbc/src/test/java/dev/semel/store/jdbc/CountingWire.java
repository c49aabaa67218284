package dev.semel.store.jdbc;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/** The way to MariaDB, on which commands are counted: packets of a client that begin a conversation. */
final class CountingWire implements AutoCloseable {
    private final ServerSocket listener;
    private final String url;
    private final int database;
    private final AtomicInteger commands = new AtomicInteger();

    interface Call {
        void run() throws Exception;
    }

    private CountingWire(String url, int database) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.url = url.replace(":" + database + "/", ":" + listener.getLocalPort() + "/");
        this.database = database;
    }

    static CountingWire to(String jdbcUrl) throws IOException {
        int port = URI.create(jdbcUrl.substring("jdbc:".length())).getPort();
        CountingWire wire = new CountingWire(jdbcUrl, port);
        Thread.ofVirtual().start(wire::accept);
        return wire;
    }

    String url() {
        return url;
    }

    /** How many commands this takes. */
    int roundTrips(Call call) throws Exception {
        int before = commands.get();
        call.run();
        return commands.get() - before;
    }

    private void accept() {
        while (true) {
            try {
                Socket near = listener.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), database);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> count(near, far));
                Thread.ofVirtual().start(() -> carry(far, near));
            } catch (IOException over) {
                return;
            }
        }
    }

    /** A packet is its length in three bytes, its number in the conversation, and so many bytes. */
    private void count(Socket from, Socket to) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            while (true) {
                byte[] head = new byte[4];
                in.readFully(head);
                byte[] packet = new byte[(head[0] & 0xff) | (head[1] & 0xff) << 8 | (head[2] & 0xff) << 16];
                in.readFully(packet);
                if (head[3] == 0) commands.incrementAndGet();
                out.write(head);
                out.write(packet);
            }
        } catch (IOException gone) {
            // Both ends learn when one is gone.
        }
    }

    private static void carry(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException gone) {
            // Both ends learn when one is gone.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
