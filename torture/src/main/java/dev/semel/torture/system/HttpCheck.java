package dev.semel.torture.system;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Checks that a process answers HTTP, over a connection of its own. */
final class HttpCheck {
    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int STATUS_LINE = 12;

    private HttpCheck() {}

    static boolean isAnswered(InetSocketAddress where, String path, int status) {
        try (Socket socket = new Socket()) {
            socket.connect(where, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] beginning = socket.getInputStream().readNBytes(STATUS_LINE);
            return new String(beginning, StandardCharsets.US_ASCII).endsWith(" " + status);
        } catch (IOException e) {
            return false;
        }
    }
}
