package dev.semel.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client that sends the beginning of a request, then a byte now and then, until its connection is closed. */
final class SlowSender {
    private static final int PAUSE_MILLIS = 25;

    private SlowSender() {}

    /** What the server has said until it closed the connection. Fails when it lets this go on for too long. */
    static String into(int port, String beginning, String forEver, Duration atMost) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        long deadline = System.nanoTime() + atMost.toNanos();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PAUSE_MILLIS);
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            for (int i = 0; System.nanoTime() < deadline; i++) {
                try {
                    int octet = socket.getInputStream().read();
                    for (; octet >= 0; octet = socket.getInputStream().read()) said.write(octet);
                    return said.toString(StandardCharsets.ISO_8859_1);
                } catch (SocketTimeoutException e) {
                    socket.getOutputStream().write(forEver.charAt(i % forEver.length()));
                }
            }
        } catch (SocketException e) {
            return said.toString(StandardCharsets.ISO_8859_1);
        }
        throw new AssertionError("Still connected after " + atMost + "; the server said: " + said);
    }
}
