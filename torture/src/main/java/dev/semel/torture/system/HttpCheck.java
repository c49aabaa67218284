package dev.semel.torture.cast;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a process how it is, over a connection of its own. */
final class Knock {
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int STATUS_LINE = 12;

    private Knock() {}

    static boolean isAnswered(InetSocketAddress where, String path, int status) {
        try (Socket socket = new Socket()) {
            socket.connect(where, PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] beginning = socket.getInputStream().readNBytes(STATUS_LINE);
            return new String(beginning, StandardCharsets.US_ASCII).endsWith(" " + status);
        } catch (IOException e) {
            return false;
        }
    }
}
