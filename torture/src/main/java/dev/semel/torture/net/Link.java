package dev.semel.torture.net;

import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way from some processes to one: a port on the loopback address that leads to another, in changing condition. Safe for
 * use by any thread.
 *
 * <p>What is held up for longer than {@link #MAX_DELAY} is not delivered any more. Without such a bound on how late a
 * request may arrive nobody could ever say of an operation that it did not happen.
 */
public final class Link implements AutoCloseable {
    public static final Duration MAX_DELAY = Duration.ofMillis(1_500);

    private static final int BACKLOG = 512;
    private static final int CONNECT_MILLIS = 2_000;

    private final String name;
    private final InetSocketAddress here;
    private final InetSocketAddress there;
    private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile LinkCondition condition = LinkCondition.HEALTHY;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;
    private boolean closed;

    private Link(String name, int port, InetSocketAddress there) {
        this.name = name;
        this.here = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.there = there;
    }

    /** Opens a link to where somebody listens, or will. */
    public static Link open(String name, InetSocketAddress there) throws IOException {
        Link link = new Link(name, FreePort.pick(), there);
        link.listen();
        return link;
    }

    public String name() {
        return name;
    }

    public int port() {
        return here.getPort();
    }

    LinkCondition condition() {
        return condition;
    }

    public void change(LinkCondition next) throws IOException {
        lock.lock();
        try {
            condition = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (next == LinkCondition.REFUSE) stopListening();
        else listen();
        if (next == LinkCondition.RESET || next == LinkCondition.REFUSE) connections.forEach(LinkConnection::reset);
    }

    private void listen() throws IOException {
        lock.lock();
        try {
            if (listener != null || closed) return;
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(here, BACKLOG);
            listener = socket;
            acceptor = Thread.ofVirtual().name(name).start(() -> accept(socket));
        } finally {
            lock.unlock();
        }
    }

    private void accept(ServerSocket socket) {
        while (true) {
            try {
                Socket near = socket.accept();
                Thread.ofVirtual().start(() -> carry(near));
            } catch (IOException over) {
                return;
            }
        }
    }

    private void carry(Socket near) {
        Socket far = new Socket();
        LinkConnection connection = new LinkConnection(this, near, far);
        connections.add(connection);
        try {
            if (condition == LinkCondition.RESET) throw new IOException("reset on purpose");
            far.connect(there, CONNECT_MILLIS);
            connection.carry();
        } catch (IOException e) {
            connection.reset();
        } finally {
            connections.remove(connection);
        }
    }

    /** Waits until the black hole is gone; false when that took too long for what is under way. */
    boolean awaitDelivery() throws InterruptedException {
        long left = MAX_DELAY.toNanos();
        lock.lock();
        try {
            while (condition == LinkCondition.BLACK_HOLE) {
                if (left > 0) left = changed.awaitNanos(left);
                else changed.await(1, TimeUnit.SECONDS);
            }
            return left > 0;
        } finally {
            lock.unlock();
        }
    }

    private void stopListening() throws IOException {
        lock.lock();
        try {
            if (listener != null) listener.close();
            listener = null;
            // The port takes connections until the accepting thread has noticed.
            if (acceptor != null) acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            condition = LinkCondition.HEALTHY;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        stopListening();
        connections.forEach(LinkConnection::reset);
    }
}
