package dev.semel.torture.library;

import dev.semel.core.Attempt;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Asks the service behind, over a connection for each call: so it is known whether anything was sent. */
final class LedgerClient {
    private static final int CONNECT_MILLIS = 500;
    private static final int TIMEOUT_MILLIS = 1_000;

    private final InetSocketAddress ledger;

    LedgerClient(int port) {
        this.ledger = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** There was no connection: not one byte was sent. */
    static final class NotSentException extends IOException {
        private static final long serialVersionUID = 1;

        NotSentException(IOException cause) {
            super(cause);
        }
    }

    private record Response(int status, String body) {}

    /** What it answered to an effect that it accepted. */
    String act(String path, Attempt attempt, int payload) throws IOException {
        String body = "{\"payload\":" + payload + "}";
        Response response = exchange("POST " + path + " HTTP/1.1\r\nHost: ledger\r\nConnection: close\r\n"
                + "Idempotency-Key: " + attempt.key() + "\r\nSemel-Fencing-Token: " + attempt.token()
                + "\r\nSemel-Attempt: " + attempt.number() + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
        if (response.status() != 201) throw new IOException("The ledger answered " + response.status() + ".");
        return response.body();
    }

    /** What it answered to the first effect of a key; null when there is none. */
    @Nullable
    String find(String path) throws IOException {
        Response response = exchange("GET " + path + " HTTP/1.1\r\nHost: ledger\r\nConnection: close\r\n\r\n");
        return switch (response.status()) {
            case 200 -> response.body();
            case 404 -> null;
            default -> throw new IOException("The ledger answered " + response.status() + ".");
        };
    }

    private Response exchange(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return parse(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private Socket connect() throws NotSentException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(ledger, CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            try {
                socket.close();
            } catch (IOException gone) {
                // As it should be.
            }
            throw new NotSentException(e);
        }
    }

    /** The connection is closed behind a response; whether it was whole, its length tells. */
    private static Response parse(String text) throws IOException {
        int end = text.indexOf("\r\n\r\n");
        int length = text.toLowerCase(Locale.ROOT).indexOf("\r\ncontent-length:");
        if (end < 0 || length < 0 || length > end) throw new IOException("cut off");
        String body = text.substring(end + 4);
        int expected = Integer.parseInt(
                text.substring(length + 17, text.indexOf("\r\n", length + 2)).strip());
        if (body.length() != expected) throw new IOException("cut off");
        return new Response(Integer.parseInt(text.substring(9, 12)), body);
    }
}
