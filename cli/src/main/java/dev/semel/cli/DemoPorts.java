package dev.semel.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for what is stopped and started again: the usual one if it is free, else one that no outgoing connection is given. */
final class DemoPorts {
    private static final int TRIES = 100;

    private DemoPorts() {}

    static int near(int usual) throws IOException {
        int port = usual;
        for (int tries = 0; tries < TRIES; tries++) {
            if (isFree(port)) return port;
            port = ThreadLocalRandom.current().nextInt(10_000, 15_000);
        }
        throw new IOException("no free port was found");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
