package dev.semel.gateway;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Counts what this process has open, and waits for what happens elsewhere. */
final class Descriptors {
    private Descriptors() {}

    static long open() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    static void await(Duration atMost, Callable<Boolean> event) throws Exception {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!event.call()) {
            if (System.nanoTime() > deadline) throw new AssertionError("Did not happen within " + atMost);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Waits until writing fails, for a client that does not read what it was sent. */
    static void awaitClosedByPeer(Socket socket, Duration atMost) throws Exception {
        await(atMost, () -> {
            try {
                socket.getOutputStream().write('\n');
                return false;
            } catch (SocketException e) {
                return true;
            }
        });
    }
}
