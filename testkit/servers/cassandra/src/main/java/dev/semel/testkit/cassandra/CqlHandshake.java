package dev.semel.testkit.cassandra;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Asks a server which options it has: the first thing that clients say, and that a server answers only when it is ready. */
final class CqlHandshake {
    /** Version 4, no flags, stream 0, OPTIONS, no body. */
    private static final byte[] OPTIONS = {4, 0, 0, 0, 5, 0, 0, 0, 0};

    private static final int SUPPORTED = 6;
    private static final int PATIENCE_MILLIS = 1000;

    private CqlHandshake() {}

    static boolean isAnswered(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(OPTIONS);
            byte[] header = socket.getInputStream().readNBytes(OPTIONS.length);
            return header.length == OPTIONS.length && header[4] == SUPPORTED;
        } catch (IOException notYet) {
            return false;
        }
    }
}
