package dev.semel.examples.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The network between a client and the gateway: passes everything on, but for the answers that it is told to lose. */
final class LossyLink implements AutoCloseable {
    private final ServerSocket listener;
    private final int target;
    private final AtomicInteger toLose = new AtomicInteger();
    private final Semaphore answers = new Semaphore(0);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    LossyLink(int target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    /** The connection breaks in place of the next answers. */
    void loseAnswers(int count) {
        toLose.set(count);
    }

    void forgetAnswers() {
        answers.drainPermits();
    }

    /** Waits for an answer since then. */
    void awaitAnswer() throws InterruptedException {
        if (!answers.tryAcquire(30, TimeUnit.SECONDS)) throw new AssertionError("No answer in time.");
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket gateway = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(gateway);
                Thread.startVirtualThread(() -> pump(client, gateway, false));
                Thread.startVirtualThread(() -> pump(gateway, client, true));
            } catch (IOException e) {
                // closed: the loop ends
            }
        }
    }

    private void pump(Socket from, Socket to, boolean isAnswer) {
        byte[] buffer = new byte[16_384];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (isAnswer && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) return;
                out.write(buffer, 0, read);
                if (isAnswer) answers.release();
            }
        } catch (IOException e) {
            // one side has gone, and so goes the other
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) socket.close();
    }
}
