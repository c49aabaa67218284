package dev.semel.testkit.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A port on 127.0.0.1 that can be opened and shut. While it is shut the system gives it to nobody else, and whoever
 * connects is refused. Safe for use by any thread.
 */
final class Door implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Guest guest;
    private final InetSocketAddress address;
    private final Set<Socket> inside = ConcurrentHashMap.newKeySet();
    private final Socket placeholder;
    private @Nullable ServerSocket listener;
    private @Nullable Thread porter;

    interface Guest {
        void serve(Socket socket) throws IOException;
    }

    /** A shut door on a free port. */
    Door(Guest guest) throws IOException {
        this.guest = guest;
        placeholder = hold(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), placeholder.getLocalPort());
    }

    /** A socket that is bound but does not listen keeps a port, and keeps it closed while nobody else listens there. */
    private static Socket hold(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(address);
        return socket;
    }

    int port() {
        return address.getPort();
    }

    synchronized void open() throws IOException {
        if (listener != null) return;
        ServerSocket opened = new ServerSocket();
        opened.setReuseAddress(true);
        opened.bind(address, BACKLOG);
        listener = opened;
        porter = Thread.ofVirtual().name("upstream-door-" + port()).start(() -> welcome(opened));
    }

    private void welcome(ServerSocket opened) {
        while (!opened.isClosed()) {
            try {
                Socket socket = opened.accept();
                inside.add(socket);
                Thread.ofVirtual().name("upstream-connection").start(() -> serve(socket));
            } catch (IOException e) {
                // shut: the loop ends
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            guest.serve(socket);
        } catch (IOException e) {
            // the client has gone, or the door was shut: both are part of the play
        } finally {
            inside.remove(socket);
        }
    }

    /** Ends every connection, and refuses new ones. */
    synchronized void shut() throws IOException {
        end();
    }

    private void end() throws IOException {
        if (listener != null) listener.close();
        listener = null;
        for (Socket socket : inside) socket.close();
        await(porter);
        porter = null;
    }

    /** A closed listener goes on listening until the thread that waits on it has noticed. */
    private static void await(@Nullable Thread porter) {
        try {
            if (porter != null) porter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        end();
        placeholder.close();
    }
}
