package dev.semel.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks a port for a server that will be killed and restarted. It lies below those that systems give to outgoing
 * connections: nobody else gets it while the server is down, and no client can be connected to itself by accident.
 */
public final class FreePort {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 100;

    private FreePort() {}

    public static int pick() throws IOException {
        return pickWith(0);
    }

    /** A port that is free together with the one so far above it, for a server that takes both. */
    public static int pickWith(int distance) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - distance);
            if (isFree(port) && isFree(port + distance)) return port;
        }
        throw new IOException("No free port between " + LOWEST + " and " + HIGHEST + ".");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
