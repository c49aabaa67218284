package dev.semel.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A port for a gateway that will be killed and started again, below those that outgoing connections are given. */
final class FreePort {
    private FreePort() {}

    static int pick() throws IOException {
        for (int tries = 0; tries < 100; tries++) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 15_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException e) {
                // Taken; try another.
            }
        }
        throw new IOException("no free port");
    }
}
